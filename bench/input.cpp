#include "bench/input.hpp"

#include <algorithm>
#include <vector>

namespace ladder::bench {

Input::Input(Backend& backend, Type type, const Recipe& recipe, std::size_t n, const DataFile* file,
             bool guarded)
    : backend_(backend),
      type_(type),
      recipe_(recipe),
      n_(n),
      capacity_(guarded ? n + guard_elements : n),
      file_(file),
      buffer_(backend.allocate(capacity_ * facts(type).bytes)) {
  write(0, n);
  backend_.synchronize();
}

void Input::write(std::size_t first, std::size_t count) {
  if (count == 0) return;
  if (file_ != nullptr) {
    const auto size = facts(type_).bytes;
    backend_.upload(at(first), static_cast<const std::byte*>(file_->data()) + first * size,
                    count * size);
  } else {
    backend_.fill(at(first), type_, recipe_, first, count);
  }
}

void Input::dress(std::size_t n, Operation operation, std::size_t planted) {
  with_type(type_, [&]<Type type>() {
    using T = native<type>;
    std::vector<T> guards(std::min(guard_elements, capacity_ - n), guard_element<T>(operation));
    if (!guards.empty()) backend_.upload(at(n), guards.data(), guards.size() * sizeof(T));
    if (planted < n) {
      const T extreme = planted_element<T>(operation, recipe_, planted);
      backend_.upload(at(planted), &extreme, sizeof extreme);
    }
  });
}

void Input::restore(std::size_t n, std::size_t planted) {
  if (n < n_) write(n, std::min(guard_elements, n_ - n));
  if (planted < n) write(planted, 1);
}

}  // namespace ladder::bench
