#pragma once

// What the tests share that call the header for many reductions as other code does, on each space
// of the build.

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "ladder/kokkos/batch.hpp"
#include "tests/kokkos/calling.hpp"

namespace ladder::kokkos {

template <class S>
class BatchCallingOn : public CallingOn<S> {
 protected:
  template <class T>
  using Array = Kokkos::View<T*, typename S::memory_space>;

  static constexpr int many = 20;  ///< calls

  void SetUp() override {
    CallingOn<S>::SetUp();
    if (this->IsSkipped()) return;
    ASSERT_TRUE(made_with(8 * batch_workspace_words(this->space())));
  }
  /// Makes a workspace of so many bytes, as far past an aligned place, in which anything was
  /// before, unless that is refused.
  bool made_with(std::size_t bytes, std::size_t past = 0) {
    words_ = Array<std::uint64_t>("batch workspace", (past + bytes) / 8);
    Kokkos::deep_copy(words_, 0xDEADBEEF00000001);
    return make_batch_workspace(&batch, this->space(),
                                Kokkos::subview(words_, std::pair(past / 8, words_.size())));
  }
  /// Whether a call with these arguments is made.
  template <class In, class A, class Op>
  bool rows(const BatchWorkspace& by, const In& x, std::size_t count, std::size_t length,
            std::size_t pitch, A* to, Op op, A identity) {
    return reduce_rows(this->space(), by, x, count, length, pitch, to, op, identity);
  }
  template <class In, class A, class Op>
  bool columns(const BatchWorkspace& by, const In& x, std::size_t rows, std::size_t count,
               std::size_t pitch, A* to, Op op, A identity) {
    return reduce_columns(this->space(), by, x, rows, count, pitch, to, op, identity);
  }
  template <class In, class A, class Op>
  bool segments(const BatchWorkspace& by, const In& x, const int* offsets, std::size_t count,
                std::size_t n, A* to, Op op, A identity) {
    return reduce_segments(this->space(), by, x, offsets, count, n, to, op, identity);
  }
  /// Memory for results.
  template <class A>
  A* results(std::size_t count, const A& before) {
    return const_cast<A*>(this->on_device(std::vector<A>(count, before)));
  }
  template <class A>
  std::vector<A> found(const A* from, std::size_t count, const A& before) {
    this->space().fence();
    std::vector<A> values(count, before);
    using Bytes = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
    const Kokkos::View<const std::byte*, typename S::memory_space, Bytes> there(
        reinterpret_cast<const std::byte*>(from), count * sizeof(A));
    const Kokkos::View<std::byte*, Kokkos::HostSpace, Bytes> here(
        reinterpret_cast<std::byte*>(values.data()), count * sizeof(A));
    Kokkos::deep_copy(here, there);
    return values;
  }

  BatchWorkspace batch;

 private:
  Array<std::uint64_t> words_;
};

}  // namespace ladder::kokkos
