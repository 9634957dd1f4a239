#pragma once

// What the tests share that call the header for Kokkos as other code does, on each space of the
// build.

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>

#include "kokkos/kokkos_platform.hpp"
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

  /// A workspace of so many words, in which anything was before.
  void made_with(std::size_t words) {
    words_ = Array<std::uint64_t>("workspace", words);
    Kokkos::deep_copy(words_, 0xDEADBEEF00000001);
    ASSERT_TRUE(make_workspace(&workspace, space(), words_));
  }
  /// The next call has this number.
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
  /// The result of a call; `choice`: none or one.
  template <class In, class A, class Op, class... Choice>
  A reduced(In x, std::size_t n, Op op, A identity, const Choice&... choice) {
    EXPECT_TRUE(reduce(space(), workspace, x, n, place<A>(), op, identity, choice...));
    return got<A>();
  }
  /// Of as many elements as stand in memory at `n`.
  template <class In, class Integer, class A, class Op>
  A reduced(In x, const Integer* n, std::size_t most, Op op, A identity) {
    EXPECT_TRUE(reduce(space(), workspace, x, n, most, place<A>(), op, identity));
    return got<A>();
  }
  template <class In, class A, class Op>
  A reduced_by_one_kernel(In x, std::size_t n, Op op, A identity) {
    return reduced(x, n, op, identity);  // there are few
  }
  /// Whether a call with these arguments is made.
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
