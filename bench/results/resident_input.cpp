#include "bench/results/resident_input.hpp"

#include <algorithm>
#include <vector>

#include "bench/plan/plan.hpp"

namespace ladder::bench {

ResidentInput::ResidentInput(Device& device, Type type, const Recipe& recipe, std::size_t n,
                             std::size_t shift, const void* file, bool guarded)
    : device_(device),
      type_(type),
      recipe_(recipe),
      n_(n),
      capacity_(guarded ? n + guard_elements : n),
      shift_(shift),
      file_(file),
      buffer_(device.allocate(shift + capacity_ * facts(type_).bytes)) {
  write(0, n);
}

void ResidentInput::write(std::size_t first, std::size_t count) {
  if (count == 0) return;
  if (file_ != nullptr) {
    const auto size = facts(type_).bytes;
    device_.upload(at(first), static_cast<const std::byte*>(file_) + first * size, count * size);
  } else {
    device_.fill(at(first), type_, recipe_, first, count);
  }
}

void ResidentInput::guard_and_plant(std::size_t n, Operation operation,
                                    std::span<const std::size_t> planted) {
  with_type(type_, [&]<Type type>() {
    using T = native<type>;
    const std::vector<T> guards(std::min(guard_elements, capacity_ - n),
                                guard_element<T>(operation));
    if (!guards.empty()) device_.upload(at(n), guards.data(), guards.size() * sizeof(T));
    for (const std::size_t index : planted) {
      const T extreme = planted_element<T>(operation, recipe_, index);
      device_.upload(at(index), &extreme, sizeof extreme);
    }
  });
}

void ResidentInput::restore(std::size_t n, std::span<const std::size_t> planted) {
  if (n < n_) write(n, std::min(guard_elements, n_ - n));
  for (const std::size_t index : planted) write(index, 1);
}

}  // namespace ladder::bench
