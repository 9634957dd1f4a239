#include <algorithm>
#include <iterator>
#include <memory>
#include <vector>

#include "bench/variants/variants.hpp"

namespace ladder::cuda::variants {

std::vector<std::unique_ptr<Backend>> backends() {
  std::vector<Extra> all;
  std::ranges::copy(steps(), std::back_inserter(all));
  std::ranges::copy(calls_of_cuda(), std::back_inserter(all));
  std::ranges::copy(costs(), std::back_inserter(all));
  std::vector<std::unique_ptr<Backend>> one;
  one.push_back(make_backend(all));
  return one;
}

}  // namespace ladder::cuda::variants
