#pragma once

// The execution spaces of the build as a list, and Kokkos kept running between tests.

#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "kokkos/kokkos_runtime.hpp"
#include "kokkos/spaces/open.hpp"

namespace ladder::kokkos {

struct Space {
  std::string_view name;
  bool on_host;
  Opened (*open)(int device);
};

template <class... S>
std::vector<Space> list(std::type_identity<std::variant<S...>>) {
  return {Space{name_of<S>(), on_host<S>, kokkos::open<S>}...};
}

inline std::vector<Space> spaces() { return list(std::type_identity<AnySpace>{}); }

inline void PrintTo(const Space& space, std::ostream* out) { *out << space.name; }

/// Converts a name for use in a test's name: "kokkos_openmp".
inline std::string in_name(std::string_view text) {
  std::string name(text);
  for (char& letter : name) {
    if (letter == '/') letter = '_';
  }
  return name;
}

/// Threads on any number of cores: enough for teams of three sizes besides the measured one.
inline constexpr unsigned team_threads = 4;

/// Keeps Kokkos running from the first test that needs it to the end of the program: it cannot
/// start twice, and static objects are destroyed too late. Without Kokkos such a test is skipped
/// with the backend's message.
class Kept final : public testing::Environment {
 public:
  static void start(unsigned threads) {
    if (!runtime) runtime = Runtime::start(0, threads);
  }
  void TearDown() override { runtime.reset(); }

 private:
  inline static std::shared_ptr<Runtime> runtime;
};
inline const testing::Environment* const kept = testing::AddGlobalTestEnvironment(new Kept);

}  // namespace ladder::kokkos
