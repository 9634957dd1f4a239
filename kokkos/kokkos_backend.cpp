#include "kokkos/kokkos_backend.hpp"

#include <string>
#include <type_traits>

#include "common/model/queue_backend.hpp"

namespace ladder::kokkos {
namespace {

template <class Space>
class SpaceBackend final : public QueueBackend<Queue> {
 public:
  explicit SpaceBackend(std::span<const Extra> more)
      : QueueBackend(
            name_of<Space>(),
            [](int device) { return std::make_unique<Queue>(kokkos::open<Space>(device)); },
            table(), library(), more, batch_table(), on_host<Space>) {}

  std::vector<Fact> facts() const override {
    const std::string version = std::to_string(KOKKOS_VERSION / 10000) + "." +
                                std::to_string(KOKKOS_VERSION / 100 % 100) + "." +
                                std::to_string(KOKKOS_VERSION % 100);
    return {
        {"Kokkos", version, "KOKKOS_VERSION"},
        {"threads of the space", std::to_string(queue().concurrency()), "Kokkos concurrency()"}};
  }
};

template <class... Space>
std::vector<std::unique_ptr<Backend>> one_for_each(std::type_identity<std::variant<Space...>>,
                                                   std::span<const Extra> more) {
  std::vector<std::unique_ptr<Backend>> all;
  (all.push_back(std::make_unique<SpaceBackend<Space>>(more)), ...);
  return all;
}

}  // namespace

std::vector<std::unique_ptr<Backend>> make_backends(std::span<const Extra> more) {
  return one_for_each(std::type_identity<AnySpace>{}, more);
}

std::vector<std::unique_ptr<Backend>> backends() { return make_backends({}); }

}  // namespace ladder::kokkos
