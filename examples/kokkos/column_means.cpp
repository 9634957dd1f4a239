// Column means of a matrix on Kokkos's default space, in any layout.

#include <cstddef>
#include <cstdint>
#include <cstdio>

#include <Kokkos_Core.hpp>

#include "ladder/kokkos/batch.hpp"

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const Kokkos::DefaultExecutionSpace space;
  const Kokkos::View<float**> samples("samples", 100000, 20);
  const Kokkos::View<double*> sums("sums", samples.extent(1));
  Kokkos::parallel_for(
      "fill", Kokkos::MDRangePolicy<Kokkos::Rank<2>>({0, 0}, {100000, 20}),
      KOKKOS_LAMBDA(int i, int j) { samples(i, j) = static_cast<float>(j); });

  // Once: one workspace per instance of a space.
  const Kokkos::View<std::uint64_t*> memory("workspace",
                                            ladder::kokkos::batch_workspace_words(space));
  ladder::kokkos::BatchWorkspace workspace;
  if (!ladder::kokkos::make_batch_workspace(&workspace, space, memory)) return 1;

  // Any number of times, asynchronously.
  if (!ladder::kokkos::reduce_columns(space, workspace, samples, sums, ladder::kokkos::Sum{}, 0.0))
    return 1;

  const auto found = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, sums);  // waits
  for (std::size_t j = 0; j < found.extent(0); ++j) {
    const double mean = found(j) / static_cast<double>(samples.extent(0));
    if (mean != static_cast<double>(j)) return 1;
    std::printf("the mean of column %zu is %.1f\n", j, mean);
  }
}
