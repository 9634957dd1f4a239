#include "kokkos/queue.hpp"

#include <string>

namespace ladder::kokkos {
namespace {

constexpr std::size_t granule = 256;  // bytes between pieces of scratch

/// Something for a policy's questions about a functor.
struct Nothing {
  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team&) const {}
};

}  // namespace

Queue::Queue(AnySpace space, std::unique_ptr<Device> device)
    : device_(std::move(device)),
      space_(std::move(space)),
      on_host_(
          std::visit([]<class Space>(const Space&) { return kokkos::on_host<Space>; }, space_)),
      team_limit_(on_host_ ? 1 : std::numeric_limits<unsigned>::max()),
      result_(device_->allocate(granule)),
      ticket_(device_->allocate(granule)) {
  constexpr unsigned zero = 0;
  device_->upload(ticket(), &zero, sizeof zero);
}

unsigned Queue::concurrency() const {
  return static_cast<unsigned>(
      std::visit([](const auto& space) { return space.concurrency(); }, space_));
}

unsigned Queue::largest_team() const {
  return static_cast<unsigned>(std::visit(
      []<class Space>(const Space& space) {
        return Kokkos::TeamPolicy<Space>(space, 1, 1)
            .team_size_max(Nothing{}, Kokkos::ParallelForTag{});
      },
      space_));
}

void Queue::reserve(std::size_t bytes) {
  if (scratch_ && bytes <= scratch_->bytes()) return;
  device_->synchronize();
  scratch_.reset();
  if (bytes > 0) scratch_ = device_->allocate(bytes);
}

void* Queue::take(std::size_t bytes) {
  const std::size_t offset = scratch_used_;
  scratch_used_ += ceil_div(bytes, granule) * granule;
  if (tracing()) return reinterpret_cast<void*>(granule + offset);
  if (scratch_used_ > std::min(scratch_limit_, scratch_ ? scratch_->bytes() : 0)) {
    throw std::logic_error("a rung takes more scratch when it runs than when it was traced");
  }
  return scratch_->data() + offset;
}

void Queue::record(const Shape& shape, const Pass& pass) {
  if (looking_) return;
  constexpr auto most = static_cast<std::size_t>(std::numeric_limits<int>::max());
  if (shape.league > most) {
    throw NotPossible("needs a league of " + std::to_string(shape.league) + " teams of " +
                      std::to_string(shape.block) + " leaves, Kokkos takes " +
                      std::to_string(most));
  }
  footprint_->launches.push_back({pass, static_cast<unsigned>(shape.league), shape.block, {}});
}

/// The device's own look at what is launched, beside what the rung has said of it.
void Queue::name_kernels(Footprint& footprint, const std::function<void()>& rung) {
  looking_ = true;
  begin(std::numeric_limits<std::size_t>::max());
  const auto seen = device_->look_at(rung);
  if (seen.size() != footprint.launches.size()) return;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    footprint.launches[i].grid = seen[i].grid;
    footprint.launches[i].block = seen[i].block;
    footprint.launches[i].kernel = seen[i].kernel;
  }
}

}  // namespace ladder::kokkos
