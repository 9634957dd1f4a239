#pragma once

// Replaces common/gpu/model.hpp: the queue as rungs use it. Launches run synchronously.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include <hip/hip_runtime.h>

#include "common/model/queue.hpp"
#include "ladder/gpu/detail/gpu_model.hpp"

namespace ladder::hip {

class Queue {
 public:
  Queue() { facts_.units = 3; }

  template <bool together = false, class... Parameter, class... Argument>
  void launch(void (*kernel)(Parameter...), const Shape& shape, const Pass&,
              const Argument&... arguments) {
    fibers::run(
        static_cast<unsigned>(shape.grid), shape.block, shape.shared,
        [&] { kernel(static_cast<Parameter>(arguments)...); }, together);
  }
  template <class... Parameter, class... Argument>
  void launch_together(void (*kernel)(Parameter...), const Shape& shape, const Pass& pass,
                       const Argument&... arguments) {
    launch<true>(kernel, shape, pass, arguments...);
  }
  template <class... Parameter, class... Argument>
  void replay(void (*kernel)(Parameter...), const Shape& shape, const Pass& pass,
              const Argument&... arguments) {
    launch(kernel, shape, pass, arguments...);
  }
  /// Throws std::logic_error unless ready: all launches have already run.
  template <class Ready>
  void wait_until(Ready&& ready) const {
    if (!ready()) throw std::logic_error("a rung has ended and left no result");
  }
  void synchronize() const {}
  bool tracing() const { return false; }
  template <class T>
  T* host_result() {
    return reinterpret_cast<T*>(host_result_);
  }

  /// Returns memory filled with 0x5A, since scratch has undefined content.
  template <class T>
  T* scratch(std::size_t count) {
    scratch_.push_back(std::make_unique<std::byte[]>(count * sizeof(T)));
    std::memset(scratch_.back().get(), 0x5A, count * sizeof(T));
    return reinterpret_cast<T*>(scratch_.back().get());
  }
  unsigned* ticket() { return &ticket_; }
  static constexpr unsigned most_group_tickets = 4096;
  unsigned* group_tickets() { return group_tickets_.data(); }
  std::int64_t* digits() { return digits_.data(); }
  template <class A>
  Words words(std::size_t blocks) {
    words_.resize(blocks * words_of<A> + 1);
    if (words_[0] == 0) words_[0] = 1;
    return {words_.data(), static_cast<std::uint32_t>(words_.size() - 1)};
  }
  unsigned waves(unsigned block) const { return (block + LADDER_WAVE - 1) / LADDER_WAVE; }
  const DeviceFacts& facts() const { return facts_; }
  const Tuned& tuned() const { return tuned_; }
  void use(Tuned tuned) { tuned_ = std::move(tuned); }

 private:
  std::vector<std::unique_ptr<std::byte[]>> scratch_;
  unsigned ticket_ = 0;
  std::vector<unsigned> group_tickets_ = std::vector<unsigned>(most_group_tickets);
  std::vector<std::int64_t> digits_ = std::vector<std::int64_t>(WorkMemory::most_digits);
  std::uint64_t host_result_[32] = {};
  std::vector<std::uint64_t> words_;
  DeviceFacts facts_;
  Tuned tuned_;
};

}  // namespace ladder::hip
