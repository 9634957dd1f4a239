// The CPU's rungs and library entries. Libraries that the build did not find are absent with a
// reason.

#include <array>

#include "cpu/cpu_backend.hpp"

namespace ladder::cpu {

// clang-format off
// Defined in rungs/<id>_<slug>.cpp or library/<name>.cpp.
namespace c00 { Run<Queue> find(Type, Operation); }
namespace c01 { Run<Queue> find(Type, Operation); }
namespace c02 { Run<Queue> find(Type, Operation); }
namespace c03 { Run<Queue> find(Type, Operation); }
namespace c04 { Run<Queue> find(Type, Operation); }
namespace c05 { Run<Queue> find(Type, Operation); }
namespace c06 { Run<Queue> find(Type, Operation); }
namespace c07 { Run<Queue> find(Type, Operation); }
namespace c08 { Run<Queue> find(Type, Operation); }
namespace c09 { Run<Queue> find(Type, Operation); }
namespace c10 { Run<Queue> find(Type, Operation); }
namespace c11 { Run<Queue> find(Type, Operation); }
namespace c12 { Run<Queue> find(Type, Operation); }
namespace c13 { Run<Queue> find(Type, Operation); }
namespace b00 { Run<Queue> find(Type, Operation); }
namespace b06 { Run<Queue> find(Type, Operation); }
namespace b07 { Run<Queue> find(Type, Operation); }
namespace b10 { Run<Queue> find(Type, Operation); }
namespace std_reduce { Run<Queue> find(Type, Operation); void make_ready(Queue&, unsigned workers); }
namespace eigen { Run<Queue> find(Type, Operation); Fact fact(); }
namespace eigen_rows { Run<Queue> find(Type, Operation); }
namespace eigen_columns { Run<Queue> find(Type, Operation); }
namespace openblas { Run<Queue> find(Type, Operation); Fact fact(); }
// clang-format on

namespace {

constexpr bool blocks = true;

// clang-format off
constexpr std::array rungs{
    Entry{"c00", c00::find, {}, blocks},
    Entry{"c01", c01::find, {}, blocks},
    Entry{"c02", c02::find, {}, blocks},
    Entry{"c03", c03::find, {}, blocks},
    Entry{"c04", c04::find, {}, blocks},
    Entry{"c05", c05::find, {}, blocks},
    Entry{"c06", c06::find, {}, blocks},
    Entry{"c07", c07::find, {}, blocks},
    Entry{"c08", c08::find, {}, blocks},
    Entry{"c09", c09::find, {}, blocks},
    Entry{"c10", c10::find, {}, blocks},
    Entry{"c11", c11::find, {}, blocks},
    Entry{"c12", c12::find, {}, blocks},
    Entry{"c13", c13::find, {}, blocks},
};
// clang-format on
static_assert(complete(rungs, cpu_ladder),
              "cpu: a rung is missing, out of order, or absent without a reason");

constexpr std::string_view no_blocks = "a CPU has neither blocks nor warps: see b00 and b10";

constexpr std::array batch{
    Entry{"b00", b00::find, {}, blocks},
    Entry{"b01", no_blocks},
    Entry{"b02", no_blocks},
    Entry{"b03", no_blocks},
    Entry{"b04", no_blocks},
    Entry{"b05", no_blocks},
    Entry{"b06", b06::find, {}, blocks},
    Entry{"b07", b07::find, {}, blocks},
    Entry{"b08", no_blocks},
    Entry{"b10", b10::find, {}, blocks},
};
static_assert(complete(batch, batch_ladder),
              "cpu: a batched rung is missing, out of order, or absent without a reason");

constexpr Rung std_reduce_rung{
    "library_std_reduce",
    "",
    "",
    "std::reduce(std::execution::par_unseq) with this project's operations, on oneTBB",
    "libstdc++ on oneTBB",
    workers_axis,
    "",
    one_chain};
constexpr Rung openblas_rung{
    "library_openblas",
    "",
    "",
    "cblas_ssum and cblas_dsum, on one thread: OpenBLAS shares no sum among several; not carried "
    "where its kernel adds wrongly (0.3.21 in single precision for SkylakeX and Cooperlake)",
    "OpenBLAS",
    no_axis,
    "",
    one_chain};

constexpr Rung eigen_rung{"library_eigen",
                          "",
                          "",
                          "sum(), prod(), minCoeff() and maxCoeff() of an array, on one thread",
                          "Eigen",
                          no_axis,
                          "",
                          one_chain | nan_unspecified};
constexpr Rung eigen_rows_rung{"library_eigen_rows",
                               "",
                               "",
                               "rowwise() sum(), minCoeff() and maxCoeff() of an array of "
                               "contiguous rows, on one thread",
                               "Eigen",
                               no_axis,
                               "",
                               nan_unspecified,
                               bit(Grouping::rows)};
constexpr Rung eigen_columns_rung{"library_eigen_columns",
                                  "",
                                  "",
                                  "colwise() sum(), minCoeff() and maxCoeff() of an array of "
                                  "contiguous rows, on one thread",
                                  "Eigen",
                                  no_axis,
                                  "",
                                  nan_unspecified,
                                  bit(Grouping::columns)};

constexpr std::array libraries {
#if LADDER_HAVE_TBB
  Extra{std_reduce_rung, Entry{std_reduce_rung.id, std_reduce::find, {}, blocks}, true,
        std_reduce::make_ready},
#else
  Extra{std_reduce_rung, Entry{std_reduce_rung.id, "built without oneTBB"}},
#endif
#if LADDER_HAVE_OPENBLAS
      Extra{openblas_rung, Entry{openblas_rung.id, openblas::find, {}, blocks}},
#else
      Extra{openblas_rung, Entry{openblas_rung.id, "built without OpenBLAS"}},
#endif
#if LADDER_HAVE_EIGEN
      Extra{eigen_rung, Entry{eigen_rung.id, eigen::find, {}, blocks}},
      Extra{eigen_rows_rung, Entry{eigen_rows_rung.id, eigen_rows::find, {}, blocks}},
      Extra{eigen_columns_rung, Entry{eigen_columns_rung.id, eigen_columns::find, {}, blocks}},
#else
      Extra{eigen_rung, Entry{eigen_rung.id, "built without Eigen"}},
      Extra{eigen_rows_rung, Entry{eigen_rows_rung.id, "built without Eigen"}},
      Extra{eigen_columns_rung, Entry{eigen_columns_rung.id, "built without Eigen"}},
#endif
};

}  // namespace

std::span<const Entry> table() { return rungs; }
std::span<const Entry> batch_table() { return batch; }
std::span<const Extra> library() { return libraries; }

std::vector<Fact> library_facts() {
  std::vector<Fact> facts;
#if LADDER_HAVE_OPENBLAS
  facts.push_back(openblas::fact());
#endif
#if LADDER_HAVE_EIGEN
  facts.push_back(eigen::fact());
#endif
  return facts;
}

}  // namespace ladder::cpu
