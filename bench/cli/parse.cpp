// Parses sizes, shapes, axis values, numbers and rung names from the command line.

#include <algorithm>
#include <array>
#include <bit>
#include <filesystem>
#include <limits>
#include <numeric>

#include "bench/cli/selection.hpp"
#include "bench/text.hpp"
#include "common/model/backend.hpp"

namespace ladder::bench {
namespace {

struct Unit {
  std::string_view name;
  std::size_t bytes;
};
constexpr std::array units{Unit{"KiB", 1u << 10}, Unit{"MiB", 1u << 20}, Unit{"GiB", 1u << 30},
                           Unit{"KB", 1000},      Unit{"MB", 1000000},   Unit{"GB", 1000000000},
                           Unit{"B", 1}};

constexpr std::string_view too_large = "too large a number";

std::optional<std::size_t> whole(std::string_view digits) {
  return number<std::size_t>(digits, 0, std::numeric_limits<std::size_t>::max());
}

/// Parses a size; `expected` is the error message.
Size read_size(std::string_view digits, const std::string& expected) {
  Size size;
  std::size_t unit = 1;
  for (const auto& known : units) {
    if (!size.bytes && digits.ends_with(known.name)) {
      size.bytes = true;
      unit = known.bytes;
      digits.remove_suffix(known.name.size());
    }
  }
  const auto caret = digits.find('^');
  const bool power = caret != std::string_view::npos;
  const auto base = whole(digits.substr(0, caret));
  const auto exponent = power ? whole(digits.substr(caret + 1)) : std::optional<std::size_t>(1);
  if (!base || !exponent) throw UsageError(expected);
  size.amount = unit;
  // Powers of 0 and 1 never overflow, so limit the loop.
  const auto times = *base < 2 ? std::min<std::size_t>(*exponent, 1) : *exponent;
  for (std::size_t i = 0; i < times; ++i) {
    if (__builtin_mul_overflow(size.amount, *base, &size.amount) || size.amount > most_elements)
      throw UsageError(std::string(too_large));
  }
  return size;
}

/// Parses an integer ≥ 1; `expected` is the error message.
unsigned count_of(std::string_view digits, const std::string& expected) {
  const Size size = read_size(digits, expected);
  if (size.bytes || size.amount == 0) throw UsageError(expected);
  if (size.amount > std::numeric_limits<unsigned>::max()) throw UsageError(std::string(too_large));
  return static_cast<unsigned>(size.amount);
}

/// Parses "a" as {a} and "a..b" as {a, 2a, 4a, …} up to b.
template <class T, class Read>
std::vector<T> range(std::string_view part, Read read) {
  const auto dots = part.find("..");
  if (dots == std::string_view::npos) return {read(part)};
  T value = read(part.substr(0, dots));
  const T last = read(part.substr(dots + 2));
  T alike = last;
  alike.amount = value.amount;
  if (alike != value) throw UsageError("both ends of a range need the same unit");
  if (value.amount == 0 || value.amount > last.amount)
    throw UsageError("a range goes from a size above zero up to one that is not smaller");
  std::vector<T> values;
  for (;; value.amount *= 2) {
    values.push_back(value);
    if (value.amount > last.amount / 2) return values;
  }
}

constexpr auto known_shapes =
    "expected rows:COLUMNS, rows:ROWSxCOLUMNS (/PITCH behind it), the same of columns, or "
    "segments:uniform:LEAST..MOST, segments:zipf:MEAN, segments:half:MEAN, segments:file:PATH";

[[noreturn]] void refuse() { throw UsageError(known_shapes); }

/// Parses integers ≥ 1; a range doubles.
std::vector<AxisValue> read_counts(std::string_view text) {
  return range<AxisValue>(
      text, [](std::string_view one) { return AxisValue{count_of(one, known_shapes)}; });
}

std::size_t read_one(std::string_view text) { return count_of(text, known_shapes); }

/// Splits at the first `mark`; without one, returns all of the text and an empty view.
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
  for (const auto& count : read_counts(columns.empty() ? rows : columns)) {
    shape.columns = count.amount;
    if (shape.pitch != 0 && shape.pitch < count.amount)
      throw UsageError("the pitch is less than a row");
    shape.text = concat(name(by), ":", columns.empty() ? "" : concat(shape.rows, "x"), count.amount,
                        pitch.empty() ? "" : concat("/", shape.pitch));
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
    shape.text = concat("segments:uniform:", shape.least, "..", shape.most);
  } else if (kind == "zipf" || kind == "half") {
    shape.lengths = kind == "zipf" ? Lengths::zipf : Lengths::half;
    shape.most = read_one(rest);
    shape.text = concat("segments:", kind, ":", shape.most);
  } else if (kind == "file") {
    shape.lengths = Lengths::file;
    shape.file = rest;
    shape.text = concat("segments:file:", std::filesystem::path(rest).filename().string());
  } else {
    refuse();
  }
  return shape;
}

/// True if `text` is the rung's id, its slug or both together.
bool is_called(const Rung& rung, std::string_view text) {
  return text == rung.id || (!rung.slug.empty() && text == rung.slug) || text == full_name(rung);
}

/// Indices in `rungs` of the rung or range named by `part`; empty if unknown.
std::vector<std::size_t> named_in(std::span<const Rung> rungs, std::string_view part) {
  const auto find = [&](std::string_view text) {
    return std::ranges::find_if(rungs, [&](const Rung& rung) { return is_called(rung, text); });
  };
  const auto dots = part.find("..");
  const auto first = find(part.substr(0, dots));
  const auto last = dots == std::string_view::npos ? first : find(part.substr(dots + 2));
  std::vector<std::size_t> found;
  if (first == rungs.end() || last == rungs.end()) return found;
  for (auto at = first; at <= last; ++at)
    found.push_back(static_cast<std::size_t>(at - rungs.begin()));
  return found;
}

/// Indices of the rungs of `backend` that one part of --rungs selects; may be empty.
std::vector<std::size_t> rungs_of(const Backend& backend, const std::string& part) {
  std::vector<std::size_t> libraries;
  std::vector<Rung> rungs;
  for (const auto& info : backend.rungs()) {
    if (info.library) libraries.push_back(rungs.size());
    rungs.push_back(info.rung);
  }
  return part == "lib" ? libraries : named_in(rungs, part);
}

[[noreturn]] void refuse_rung(const std::string& part, const std::set<std::string>& names,
                              const std::vector<std::string>& not_open = {}) {
  const bool range = part.find("..") != std::string::npos;
  throw UsageError(concat(
      "--rungs: '", part, "': no backend here has it",
      range ? " (a range goes from a lower rung to a higher one of one ladder)" : "",
      "; choose from ", join(names), not_open.empty() ? "" : "\n  ", join(not_open, "\n  ")));
}

}  // namespace

std::vector<Size> read_sizes(std::string_view text) {
  return range<Size>(text, [](std::string_view digits) {
    return read_size(digits, "expected elements (1000003, 2^20) or bytes (256MiB, 1GB)");
  });
}

std::vector<AxisValue> read_axis(const Axis& axis, std::string_view text) {
  const std::string expected =
      axis.per_unit ? "expected a number (512) or a number per SM (4x), at least 1"
                    : concat("expected a ", axis.power_of_two ? "power of two" : "whole number",
                             " from ", axis.least, " to ", axis.most);
  const auto read = [&](std::string_view one) {
    const bool per_unit = axis.per_unit && one.ends_with("x");
    const auto digits = one.substr(0, one.size() - (per_unit ? 1 : 0));
    const AxisValue value{count_of(digits, expected), per_unit};
    if (value.amount < axis.least || value.amount > axis.most ||
        (axis.power_of_two && !std::has_single_bit(value.amount)))
      throw UsageError(expected);
    return value;
  };
  return range<AxisValue>(text, read);
}

std::vector<int> read_devices(std::string_view text) {
  if (text == "all") return {every_device};
  const auto dots = text.find("..");
  const bool one = dots == std::string_view::npos;
  const auto first = number(text.substr(0, dots), 0, 1023);
  const auto last = one ? first : number(text.substr(dots + 2), 0, 1023);
  if (!first || !last || *first > *last)
    throw UsageError("expected numbers of devices, as in 0,1 or 0..7, or all");
  std::vector<int> devices(static_cast<std::size_t>(*last - *first) + 1);
  std::iota(devices.begin(), devices.end(), *first);
  return devices;
}

unsigned read_count(std::string_view text) {
  return count_of(text, "expected a whole number of at least 1");
}

std::vector<GroupShape> read_shapes(std::string_view text) {
  const auto [kind, rest] = cut(text, ":");
  if (kind == "rows") return read_matrices(Grouping::rows, rest);
  if (kind == "columns") return read_matrices(Grouping::columns, rest);
  if (kind == "segments") return {read_segments(rest)};
  refuse();
}

void check_rung_names(const std::vector<std::string>& parts) {
  const std::array<std::span<const Rung>, 4> ladders{device_ladder, cpu_ladder, several_ladder,
                                                     batch_ladder};
  std::set<std::string> names{"lib"};
  for (const auto& ladder : ladders) {
    for (const auto& rung : ladder) names.emplace(rung.id);
  }
  for (const auto& part : parts) {
    const bool known = std::ranges::any_of(
        ladders, [&](const auto& ladder) { return !named_in(ladder, part).empty(); });
    // Libraries and rung variants (r30_polled) are known only to their backend.
    const bool of_backend =
        part.starts_with("library_") || names.contains(part.substr(0, part.find('_')));
    if (!known && !of_backend) refuse_rung(part, names);
  }
}

std::map<const Backend*, std::set<std::size_t>> chosen_rungs(
    const Selection& selection, std::span<Backend* const> backends,
    const std::vector<std::string>& not_open) {
  std::map<const Backend*, std::set<std::size_t>> chosen;
  std::set<std::string> names{"lib"};
  for (const auto* backend : backends) {
    for (const auto& info : backend->rungs()) names.emplace(info.rung.id);
    auto& rungs = chosen[backend];
    for (std::size_t i = 0; selection.rungs.empty() && i < backend->rungs().size(); ++i)
      rungs.insert(i);
  }
  for (const auto& part : selection.rungs) {
    bool known = part == "lib" || selection.rungs_may_lack;
    for (const auto* backend : backends) {
      const auto found = rungs_of(*backend, part);
      chosen[backend].insert(found.begin(), found.end());
      known |= !found.empty();
    }
    if (!known) refuse_rung(part, names, not_open);
  }
  return chosen;
}

}  // namespace ladder::bench
