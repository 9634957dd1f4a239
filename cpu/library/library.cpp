// The library rungs of the CPU. What the build did not find is absent with that reason.

#include <array>

#include "cpu/table.hpp"

namespace ladder::cpu {

// Each in the file of its name
namespace std_reduce {
Run<Queue> find(Type, Operation);
void make_ready(Queue&, unsigned workers);
}  // namespace std_reduce
namespace openblas {
Run<Queue> find(Type, Operation);
}  // namespace openblas

namespace {

constexpr bool blocks = true;

#if LADDER_HAVE_TBB
constexpr Entry std_reduce_entry{"library_std_reduce", std_reduce::find, {}, blocks};
#else
constexpr Entry std_reduce_entry{"library_std_reduce", "built without oneTBB"};
#endif

#if LADDER_HAVE_OPENBLAS
constexpr Entry openblas_entry{"library_openblas", openblas::find, {}, blocks};
#else
constexpr Entry openblas_entry{"library_openblas", "built without OpenBLAS"};
#endif

constexpr std::array table{
    Extra{Rung{std_reduce_entry.id, "", "",
               "std::reduce(std::execution::par_unseq) with this project's operations, on oneTBB",
               "libstdc++ on oneTBB", workers_axis},
          std_reduce_entry},
    Extra{
        Rung{openblas_entry.id, "", "",
             "cblas_ssum and cblas_dsum, on one thread: OpenBLAS shares no sum among several; not "
             "carried where its kernel adds wrongly (0.3.21 in single precision for SkylakeX and "
             "Cooperlake)",
             "OpenBLAS", no_axis},
        openblas_entry},
};

}  // namespace

std::span<const Extra> library() { return table; }

void make_ready([[maybe_unused]] std::string_view rung, [[maybe_unused]] Queue& queue,
                [[maybe_unused]] unsigned workers) {
#if LADDER_HAVE_TBB
  if (rung == std_reduce_entry.id) std_reduce::make_ready(queue, workers);
#endif
}

}  // namespace ladder::cpu
