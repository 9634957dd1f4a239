#pragma once

// Static partition among OpenMP workers: one contiguous share each.

#include <algorithm>
#include <cstddef>

#include <omp.h>

namespace ladder::cpu {

/// Calls `work(worker, first, count)` once per worker, with its share of n items.
template <class Work>
void in_shares(std::size_t n, unsigned workers, const Work& work) {
#pragma omp parallel num_threads(static_cast <int>(workers))
  {
    const auto me = static_cast<std::size_t>(omp_get_thread_num());
    const auto team = static_cast<std::size_t>(omp_get_num_threads());
    const std::size_t share = n / team, rest = n % team;
    work(me, me * share + std::min(me, rest), share + (me < rest ? 1 : 0));
  }
}

}  // namespace ladder::cpu
