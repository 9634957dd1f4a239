#pragma once

// Shared fixtures of tests that call the Kokkos header as user code does, on each space of the
// build.

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>

#include "kokkos/kokkos_platform.hpp"
#include "ladder/kokkos/batch.hpp"
#include "ladder/kokkos/reduce.hpp"
#include "tests/elements.hpp"
#include "tests/kokkos/spaces.hpp"

namespace ladder::kokkos {

template <>
inline constexpr bool is_floating<Number> = true;

template <class S>
class CallingOn : public testing::Test {
 protected:
  template <class T>
  using Array = Kokkos::View<T*, typename S::memory_space>;

  void SetUp() override {
    if (const auto why = why_not_started(0)) GTEST_SKIP() << *why;
    Kept::start(4);
    space_.emplace();
    result_ = Array<std::byte>("result", 64);
    made_with(workspace_words(space()));
  }
  const S& space() const { return *space_; }

  /// Makes a workspace of `words` words with arbitrary previous content.
  void made_with(std::size_t words) {
    words_ = Array<std::uint64_t>("workspace", words);
    Kokkos::deep_copy(words_, 0xDEADBEEF00000001);
    ASSERT_TRUE(make_workspace(&workspace, space(), words_));
  }
  /// Sets the number of the next call.
  void number_is(std::uint64_t number) {
    Kokkos::deep_copy(space(), Kokkos::subview(words_, 0), number);
  }

  template <class T>
  const T* on_device(const std::vector<T>& values) {
    const auto* const bytes = reinterpret_cast<const std::byte*>(values.data());
    const Kokkos::View<const std::byte*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>
        here(bytes, values.size() * sizeof(T));
    pieces_.emplace_back("values", here.size());
    Kokkos::deep_copy(pieces_.back(), here);
    return reinterpret_cast<const T*>(pieces_.back().data());
  }
  static std::vector<Choice> choices() {
    std::vector<Choice> all;
    for (const auto& known : instances) {
      for (const int per_unit : {Choice::alone, Choice::one_pass, 1, 3})
        all.push_back({known.block, known.vectors, per_unit});
    }
    return all;
  }
  template <class A>
  A* place() {
    Kokkos::deep_copy(space(), result_, std::byte{0x5A});
    return reinterpret_cast<A*>(result_.data());
  }
  template <class A>
  A got() {
    space().fence();
    const auto all = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, result_);
    std::array<std::byte, sizeof(A)> bytes;
    for (std::size_t i = 0; i < sizeof(A); ++i) bytes[i] = all(i);
    return std::bit_cast<A>(bytes);
  }
  /// Returns the result of a call with zero or one `choice`.
  template <class In, class A, class Op, class... Choice>
  A reduced(In x, std::size_t n, Op op, A identity, const Choice&... choice) {
    EXPECT_TRUE(reduce(space(), workspace, x, n, place<A>(), op, identity, choice...));
    return got<A>();
  }
  /// Returns the result for *n elements, with `n` in device memory and at most `most`.
  template <class In, class Integer, class A, class Op>
  A reduced(In x, const Integer* n, std::size_t most, Op op, A identity) {
    EXPECT_TRUE(reduce(space(), workspace, x, n, most, place<A>(), op, identity));
    return got<A>();
  }
  template <class In, class A, class Op>
  A reduced_by_one_kernel(In x, std::size_t n, Op op, A identity) {
    return reduced(x, n, op, identity);  // there are few
  }
  /// Returns true if the header accepts these arguments.
  template <class... Argument>
  bool takes(const Argument&... arguments) {
    return reduce(space(), arguments...);
  }

  Workspace workspace;

 private:
  std::optional<S> space_;  // an instance cannot be made before Kokkos is started
  Array<std::uint64_t> words_;
  Array<std::byte> result_;
  std::vector<Array<std::byte>> pieces_;
};

/// Fixture for many reductions.
template <class S>
class BatchCallingOn : public CallingOn<S> {
 protected:
  template <class T>
  using Array = typename CallingOn<S>::template Array<T>;

  static constexpr int many = 20;  ///< calls

  void SetUp() override {
    CallingOn<S>::SetUp();
    if (this->IsSkipped()) return;
    ASSERT_TRUE(made_with(8 * batch_workspace_words(this->space())));
  }
  /// Makes a workspace of `bytes` bytes with arbitrary previous content, `past` bytes after an
  /// aligned address. Returns false if the header refuses it.
  bool made_with(std::size_t bytes, std::size_t past = 0) {
    words_ = Array<std::uint64_t>("batch workspace", (past + bytes) / 8);
    Kokkos::deep_copy(words_, 0xDEADBEEF00000001);
    return make_batch_workspace(&batch, this->space(),
                                Kokkos::subview(words_, std::pair(past / 8, words_.size())));
  }
  /// Returns true if the header accepts these arguments.
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
  /// Returns device memory for results, filled with `before`.
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

template <class Variant>
struct AsTypes;
template <class... S>
struct AsTypes<std::variant<S...>> {
  using type = testing::Types<S...>;
};
struct Named {
  template <class S>
  static std::string GetName(int) {
    return in_name(name_of<S>());
  }
};
using Spaces = typename AsTypes<AnySpace>::type;

}  // namespace ladder::kokkos
