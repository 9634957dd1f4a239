#include <filesystem>

#include "bench/cli/parse.hpp"
#include "bench/text.hpp"

namespace ladder::bench {
namespace {

constexpr auto known_shapes =
    "expected rows:COLUMNS, rows:ROWSxCOLUMNS (/PITCH behind it), the same of columns, or "
    "segments:uniform:LEAST..MOST, segments:zipf:MEAN, segments:half:MEAN, segments:file:PATH";

[[noreturn]] void refuse() { throw UsageError(known_shapes); }

/// Whole numbers from one on; a range doubles.
std::vector<std::size_t> read_counts(std::string_view text) try {
  std::vector<std::size_t> counts;
  for (const auto& size : read_sizes(text)) {
    if (size.bytes || size.amount == 0) refuse();
    counts.push_back(size.amount);
  }
  return counts;
} catch (const UsageError&) {
  refuse();  // what sizes may be is more than a shape's numbers
}

std::size_t read_one(std::string_view text) {
  const auto counts = read_counts(text);
  if (counts.size() != 1) refuse();
  return counts.front();
}

/// What lies before and behind the first `mark`; all of it and nothing where there is none.
std::pair<std::string_view, std::string_view> cut(std::string_view text, std::string_view mark) {
  const auto at = text.find(mark);
  if (at == std::string_view::npos) return {text, {}};
  return {text.substr(0, at), text.substr(at + mark.size())};
}

std::vector<GroupShape> read_matrices(Grouping by, std::string_view text) {
  if (text.ends_with("x") || text.ends_with("/")) refuse();
  const auto [matrix, pitch] = cut(text, "/");
  const auto [rows, columns] = cut(matrix, "x");
  GroupShape shape{.by = by};
  if (!columns.empty()) shape.rows = read_one(rows);
  if (!pitch.empty()) shape.pitch = read_one(pitch);
  std::vector<GroupShape> shapes;
  for (const auto count : read_counts(columns.empty() ? rows : columns)) {
    shape.columns = count;
    if (shape.pitch != 0 && shape.pitch < count) throw UsageError("the pitch is less than a row");
    shapes.push_back(shape);
  }
  return shapes;
}

GroupShape read_segments(std::string_view text) {
  const auto [kind, rest] = cut(text, ":");
  GroupShape shape{.by = Grouping::segments};
  if (rest.empty()) refuse();
  if (kind == "uniform") {
    const auto [least, most] = cut(rest, "..");
    if (most.empty()) refuse();
    shape.least = read_one(least);
    shape.most = read_one(most);
    if (shape.least > shape.most) refuse();
  } else if (kind == "zipf" || kind == "half") {
    shape.lengths = kind == "zipf" ? Lengths::zipf : Lengths::half;
    shape.most = read_one(rest);
  } else if (kind == "file") {
    shape.lengths = Lengths::file;
    shape.file = rest;
  } else {
    refuse();
  }
  return shape;
}

}  // namespace

std::string GroupShape::text() const {
  if (by == Grouping::whole) return "";
  std::string all = concat(name(by), ":");
  if (by != Grouping::segments) {
    if (rows > 0) all += concat(rows, "x");
    return all + concat(columns) + (pitch != 0 ? concat("/", pitch) : "");
  }
  switch (lengths) {
    case Lengths::uniform:
      return all + concat("uniform:", least, "..", most);
    case Lengths::zipf:
      return all + concat("zipf:", most);
    case Lengths::half:
      return all + concat("half:", most);
    case Lengths::file:
      break;
  }
  return all + "file:" + std::filesystem::path(file).filename().string();
}

std::vector<GroupShape> read_shapes(std::string_view text) {
  const auto [kind, rest] = cut(text, ":");
  if (kind == "rows") return read_matrices(Grouping::rows, rest);
  if (kind == "columns") return read_matrices(Grouping::columns, rest);
  if (kind == "segments") return {read_segments(rest)};
  refuse();
}

}  // namespace ladder::bench
