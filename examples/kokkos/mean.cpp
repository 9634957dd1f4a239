// Mean of a million numbers on Kokkos's default space.

#include <cstdint>
#include <cstdio>

#include <Kokkos_Core.hpp>

#include "ladder/kokkos/reduce.hpp"

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const Kokkos::DefaultExecutionSpace space;
  const Kokkos::View<float*> x("x", 1000000);
  const Kokkos::View<double> sum("sum");
  Kokkos::deep_copy(x, 0.5F);

  // Once: one workspace per instance of a space.
  const Kokkos::View<std::uint64_t*> memory("workspace", ladder::kokkos::workspace_words(space));
  ladder::kokkos::Workspace workspace;
  if (!ladder::kokkos::make_workspace(&workspace, space, memory)) return 1;

  // Any number of times: one asynchronous launch. The accumulator of these floats is double.
  if (!ladder::kokkos::reduce(space, workspace, x, sum, ladder::kokkos::Sum{}, 0.0)) return 1;

  double found = 0;
  Kokkos::deep_copy(found, sum);  // waits
  std::printf("the mean of %zu times 0.5 is %.3f\n", x.size(),
              found / static_cast<double>(x.size()));
  return found == 500000.0 ? 0 : 1;
}
