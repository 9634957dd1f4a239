// b07 column_tiles: the matrix is read in memory order. A worker takes a share of the rows, or
// columns in whole cache lines, and keeps the accumulators of a tile of columns.

#include "cpu/column_tiles.hpp"

namespace ladder::cpu::b07 {
namespace {

template <class Case>
struct Launch {
  static void run(Queue& queue, const View<Case>& problem, const Tuning& tuning) {
    fold_columns<Case>(queue, problem, tuning.workers);
  }
};

}  // namespace

Run<Queue> find(Type type, Operation operation) {
  return pick<Queue, Launch>(ClassicOnAll{}, type, operation);
}

}  // namespace ladder::cpu::b07
