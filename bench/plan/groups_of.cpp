#include <algorithm>
#include <cstring>
#include <random>

#include "bench/cli/parse.hpp"
#include "bench/plan/plan.hpp"
#include "bench/text.hpp"

namespace ladder::bench {
namespace {

/// Lengths whose sum is n, in a random order.
std::vector<std::size_t> lengths_of(const GroupShape& shape, std::size_t n, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::size_t> lengths;
  std::size_t left = n;
  const auto take = [&](std::size_t length) {
    lengths.push_back(std::min(length, left));
    left -= lengths.back();
  };
  if (shape.lengths == Lengths::uniform) {
    while (left > 0) take(shape.least + random() % (shape.most - shape.least + 1));
    return lengths;
  }
  if (shape.lengths == Lengths::half) {
    take(n / 2);
    while (left > 0) take(shape.most);
  } else {
    const std::size_t count = std::max<std::size_t>(1, n / shape.most);
    double harmonic = 0;
    for (std::size_t r = 1; r <= count; ++r) harmonic += 1 / static_cast<double>(r);
    for (std::size_t r = 1; r <= count; ++r)
      take(static_cast<std::size_t>(static_cast<double>(n) / harmonic / static_cast<double>(r)));
    lengths.front() += left;
  }
  std::ranges::shuffle(lengths, random);
  return lengths;
}

std::vector<std::int64_t> read_offsets(const std::string& path) {
  const std::string bytes = read_data_file(path, Type::i64);
  std::vector<std::int64_t> offsets(bytes.size() / sizeof(std::int64_t));
  std::memcpy(offsets.data(), bytes.data(), offsets.size() * sizeof(std::int64_t));
  if (offsets.size() < 2 || offsets.front() != 0 || !std::ranges::is_sorted(offsets))
    throw UsageError(
        concat("--shape=segments:file:", path, ": no offsets from 0 on that never descend"));
  return offsets;
}

MadeGroups segments_of(const GroupShape& shape, std::size_t n, std::uint64_t seed) {
  MadeGroups made;
  if (shape.lengths == Lengths::file) {
    made.offsets = read_offsets(shape.file);
  } else {
    made.offsets.push_back(0);
    for (const auto length : lengths_of(shape, n, seed))
      made.offsets.push_back(made.offsets.back() + static_cast<std::int64_t>(length));
  }
  made.n = static_cast<std::size_t>(made.offsets.back());
  made.groups = {.by = Grouping::segments, .count = made.offsets.size() - 1};
  for (std::size_t g = 0; g < made.groups.count; ++g)
    made.groups.length = std::max(made.groups.length,
                                  static_cast<std::size_t>(made.offsets[g + 1] - made.offsets[g]));
  return made;
}

}  // namespace

MadeGroups groups_of(const GroupShape& shape, std::size_t n, std::uint64_t seed) {
  if (shape.by == Grouping::whole) return {n, {}, {}};
  if (shape.by == Grouping::segments) return segments_of(shape, n, seed);
  const std::size_t rows = shape.rows > 0 ? shape.rows : n / shape.columns;
  const bool by_rows = shape.by == Grouping::rows;
  const std::size_t pitch = shape.pitch > 0 ? shape.pitch : shape.columns;
  return {rows * shape.columns,
          {.by = shape.by,
           .count = by_rows ? rows : shape.columns,
           .length = by_rows ? shape.columns : rows,
           .pitch = pitch},
          {}};
}

}  // namespace ladder::bench
