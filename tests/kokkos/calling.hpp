#pragma once

// What the tests share that call the header for Kokkos as other code does, on each space of the
// build.

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>

#include "ladder/kokkos/reduce.hpp"
#include "tests/kokkos/spaces.hpp"

namespace ladder::kokkos {

template <class S>
class KokkosCalling : public testing::Test {
 protected:
  template <class T>
  using Array = Kokkos::View<T*, typename S::memory_space>;
  template <class A>
  using One = Kokkos::View<A, typename S::memory_space>;

  void SetUp() override {
    if (const auto why = why_not_started(0)) GTEST_SKIP() << *why;
    Kept::start(4);
    space_.emplace();
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
  Array<T> on_device(const std::vector<T>& values) {
    const Array<T> there("values", values.size());
    const Kokkos::View<const T*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>> here(
        values.data(), values.size());
    Kokkos::deep_copy(there, here);
    return there;
  }
  template <class A>
  One<A> place() {
    const One<A> result("result");
    Kokkos::deep_copy(result, A{});
    return result;
  }
  template <class A>
  A got(const One<A>& result) {
    space().fence();
    A value{};
    Kokkos::deep_copy(value, result);
    return value;
  }
  /// What a call with these arguments leaves at `result`, which is one of them or where one points.
  template <class A, class... Argument>
  A reduced_to(const One<A>& result, const Argument&... arguments) {
    EXPECT_TRUE(reduce(space(), workspace, arguments...));
    return got(result);
  }

  Workspace workspace;

 private:
  std::optional<S> space_;  // an instance cannot be made before Kokkos is started
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
