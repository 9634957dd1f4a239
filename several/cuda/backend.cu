#include <vector>

#include "several/cuda/rungs.hpp"

namespace ladder::cuda {
std::vector<std::unique_ptr<Backend>> backends();
}

namespace ladder::several::cuda {

std::vector<std::unique_ptr<Backend>> backends() {
  std::vector<Own> own{{"m02", m02::carries, m02::prepare}};
#if LADDER_HAVE_NCCL
  own.push_back({"m01", m01::carries, m01::prepare});
#endif
  std::vector<std::unique_ptr<Backend>> one;
  one.push_back(in_one_process(ladder::cuda::backends, 0, std::move(own)));
  return one;
}

}  // namespace ladder::several::cuda
