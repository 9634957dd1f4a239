#include <exception>
#include <string>

#include "common/device/host/pinning.hpp"
#include "kokkos/kokkos_queue.hpp"

namespace ladder::kokkos {
namespace {

/// Placeholder functor for queries of a policy.
struct Nothing {
  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team&) const {}
};

}  // namespace

Queue::Queue(Opened opened) : ladder::Queue(opened.device), opened_(std::move(opened)) {}

Queue::~Queue() {
  try {
    device().synchronize();
  } catch (const std::exception&) {  // a lost device: no receiver for the error
  }
}

unsigned Queue::concurrency() const {
  return static_cast<unsigned>(
      std::visit([](const auto& space) { return space.concurrency(); }, opened_.space));
}

unsigned Queue::largest_team() const {
  return static_cast<unsigned>(std::visit(
      []<class Space>(const Space& space) {
        return Kokkos::TeamPolicy<Space>(space, 1, 1)
            .team_size_max(Nothing{}, Kokkos::ParallelForTag{});
      },
      opened_.space));
}

void Queue::arm() {
  if constexpr (any_on_host) {
    if (on_host()) opened_.pinning->arm(concurrency());
  }
}
void Queue::disarm() {
  if constexpr (any_on_host) {
    if (on_host()) opened_.pinning->disarm();
  }
}

void Queue::record(const Shape& shape, const Pass& pass) {
  if (looking_) return;
  constexpr auto most = static_cast<std::size_t>(std::numeric_limits<int>::max());
  if (shape.grid > most) {
    throw NotPossible("needs a league of " + std::to_string(shape.grid) + " teams of " +
                      std::to_string(shape.block) + " leaves, Kokkos takes " +
                      std::to_string(most));
  }
  footprint().launches.push_back({pass, static_cast<unsigned>(shape.grid), shape.block, {}});
}

/// Adds the device's view of the launches to the rung's own.
void Queue::name_kernels(Footprint& footprint, const std::function<void()>& rung) {
  looking_ = true;
  std::vector<Launch> seen;
  try {
    ladder::Queue::trace([&] { seen = opened_.look_at(device(), rung); });
  } catch (...) {
    looking_ = false;
    throw;
  }
  looking_ = false;
  if (seen.size() != footprint.launches.size()) return;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    footprint.launches[i].grid = seen[i].grid;
    footprint.launches[i].block = seen[i].block;
    footprint.launches[i].kernel = seen[i].kernel;
  }
}

}  // namespace ladder::kokkos
