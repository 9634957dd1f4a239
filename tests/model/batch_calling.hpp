#pragma once

// What the tests share that call the header for many reductions as other code does.

#include <cstddef>
#include <memory>
#include <vector>

#include "tests/model/calling.hpp"
// clang-format off
#include LADDER_TEXT_OF(ladder/LADDER_MODEL/batch.hpp)
// clang-format on

namespace ladder::LADDER_MODEL {

template <class S>
class BatchCallingOn : public CallingOn<S> {
 protected:
  static constexpr int many = 200;  ///< calls

  void SetUp() override {
    Calling::SetUp();
    if (this->IsSkipped()) return;
    ASSERT_TRUE(made_with(batch_workspace_bytes()));
  }
  /// Makes a workspace of so many bytes, as far past an aligned place, unless that is refused.
  bool made_with(std::size_t bytes, std::size_t past = 0) {
    memory_ = this->device->allocate(bytes + past);
    return taken(make_batch_workspace(&batch, memory_->data() + past, bytes, this->stream));
  }
  /// Whether a call with these arguments is made.
  template <class In, class A, class Op>
  bool rows(const BatchWorkspace& by, const In& x, std::size_t count, std::size_t length,
            std::size_t pitch, A* to, Op op, A identity) {
    return taken(reduce_rows(by, x, count, length, pitch, to, op, identity, this->stream));
  }
  template <class In, class A, class Op>
  bool columns(const BatchWorkspace& by, const In& x, std::size_t rows, std::size_t count,
               std::size_t pitch, A* to, Op op, A identity) {
    return taken(reduce_columns(by, x, rows, count, pitch, to, op, identity, this->stream));
  }
  template <class In, class A, class Op>
  bool segments(const BatchWorkspace& by, const In& x, const int* offsets, std::size_t count,
                std::size_t n, A* to, Op op, A identity) {
    return taken(reduce_segments(by, x, offsets, count, n, to, op, identity, this->stream));
  }
  /// Memory for results.
  template <class A>
  A* results(std::size_t count, const A& before) {
    return this->on_device(std::vector<A>(count, before));
  }
  template <class A>
  std::vector<A> found(const A* from, std::size_t count, const A& before) {
    std::vector<A> values(count, before);
    this->device->download(values.data(), from, count * sizeof(A));
    return values;
  }

  BatchWorkspace batch;

 private:
  static bool taken(Runtime::Code code) {
    if (Calling::is_invalid_value(code)) return false;
    Calling::ok(code);
    return true;
  }

  std::unique_ptr<Buffer> memory_;
};

}  // namespace ladder::LADDER_MODEL
