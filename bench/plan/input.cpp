// Input data: elements read from a file, and the groups defined by a shape.

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <stdexcept>
#include <string_view>

#include <nlohmann/json.hpp>
#include <unistd.h>

#include "bench/plan/plan.hpp"
#include "bench/text.hpp"

namespace ladder::bench {

namespace {

std::int64_t bytes_of_machine() { return sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE); }

}  // namespace

std::string content(const std::string& path) {
  if (std::filesystem::exists(path) && !std::filesystem::is_regular_file(path))
    throw UsageError("is not a regular file");
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  const auto size = static_cast<std::streamoff>(file.tellg());
  if (file && size > bytes_of_machine()) throw UsageError("is larger than this machine's memory");
  std::string bytes(file ? static_cast<std::size_t>(size) : 0, '\0');
  if (!file || !file.seekg(0).read(bytes.data(), size))
    throw UsageError(concat("cannot be read: ", std::strerror(errno)));
  return bytes;
}

namespace {

/// Converts the dictionary of a .npy header, a Python literal, to JSON.
Json header_of(std::string_view literal) {
  std::string json;
  for (const char c : literal) {
    if (c == ' ' || c == '\n') continue;
    if ((c == ')' || c == ']' || c == '}') && json.ends_with(',')) json.pop_back();
    constexpr std::string_view python = "'()TF", its_json = "\"[]tf";  // True, False
    const auto known = python.find(c);
    json += known == std::string_view::npos ? c : its_json[known];
  }
  return parsed(json);
}

/// Validates the header of a .npy file (format version 1, which all plain arrays have) against
/// `type` and the data size. Returns the offset of the data.
std::size_t npy_data(std::string_view bytes, Type type) try {
  const auto byte = [&](std::size_t i) -> std::size_t {
    return static_cast<unsigned char>(bytes.at(i));
  };
  if (byte(6) != 1) throw UsageError(concat("is .npy version ", byte(6), ", not 1"));
  const std::size_t start = 10, length = byte(8) | byte(9) << 8;
  const std::size_t follow = bytes.substr(start + length).size();
  const auto header = header_of(bytes.substr(start, length));
  const auto& element = facts(type);
  if (header.at("descr") != element.npy) {
    throw UsageError(concat("holds ", header["descr"].dump(), ", but ", element.name,
                            element.npy.empty() ? " has no name in .npy" : " is ", element.npy,
                            "; choose the type with --types"));
  }
  if (header.at("fortran_order").get<bool>())
    throw UsageError("is in Fortran order; save it in C order");
  std::size_t size = element.bytes;
  for (const auto& dimension : header.at("shape")) {
    if (!dimension.is_number_unsigned() ||
        __builtin_mul_overflow(size, dimension.get<std::size_t>(), &size))
      size = follow + 1;
  }
  if (size != follow) {
    throw UsageError(concat("has the .npy shape ", header["shape"].dump(), " of ", element.bytes,
                            " bytes each, but ", follow, " bytes follow"));
  }
  return start + length;
} catch (const Json::exception&) {
  throw UsageError("has a .npy header that cannot be understood");
} catch (const std::out_of_range&) {
  throw UsageError("has a .npy header that is cut short");
}

/// Segment lengths that sum to n, in random order. Throws `NotPossible` without elements, or if the
/// lengths and offsets would need more than a quarter of the machine's memory.
std::vector<std::size_t> lengths_of(const GroupShape& shape, std::size_t n, std::uint64_t seed) {
  if (n == 0) throw NotPossible("no elements make no segments");
  const bool uniform = shape.lengths == Lengths::uniform;
  const std::size_t expected = n / (uniform ? (shape.least + shape.most) / 2 : shape.most);
  if (expected > static_cast<std::size_t>(bytes_of_machine()) / 4 / 16)
    throw NotPossible(concat("the offsets of ", expected, " segments do not fit in memory"));
  std::mt19937_64 random(seed);
  std::vector<std::size_t> lengths;
  std::size_t left = n;
  const auto take = [&](std::size_t length) {
    lengths.push_back(std::min(length, left));
    left -= lengths.back();
  };
  if (uniform) {
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
  constexpr std::string_view option = "--shape=segments:file:";
  const std::string bytes = read_data_file(path, Type::i64, option);
  std::vector<std::int64_t> offsets(bytes.size() / sizeof(std::int64_t));
  std::memcpy(offsets.data(), bytes.data(), offsets.size() * sizeof(std::int64_t));
  if (offsets.size() < 2 || offsets.front() != 0 || !std::ranges::is_sorted(offsets))
    throw UsageError(concat(option, path, ": no offsets from 0 on that never descend"));
  if (offsets.back() > std::int64_t{most_elements})
    throw UsageError(concat(option, path, ": its last offset is too large a number"));
  return offsets;
}

MadeGroups segments_of(const GroupShape& shape, std::size_t n, std::uint64_t seed) {
  MadeGroups made{n, {.by = Grouping::segments}, {0}};
  if (shape.lengths == Lengths::file) {
    made.offsets = read_offsets(shape.file);
    made.n = static_cast<std::size_t>(made.offsets.back());
  } else {
    for (const auto length : lengths_of(shape, n, seed))
      made.offsets.push_back(made.offsets.back() + static_cast<std::int64_t>(length));
  }
  made.groups.count = made.offsets.size() - 1;
  for (std::size_t g = 0; g < made.groups.count; ++g)
    made.groups.length = std::max(made.groups.length,
                                  static_cast<std::size_t>(made.offsets[g + 1] - made.offsets[g]));
  return made;
}

}  // namespace

std::string read_data_file(const std::string& path, Type type, std::string_view option) try {
  std::string bytes = content(path);
  if (bytes.starts_with("\x93NUMPY")) {
    bytes.erase(0, npy_data(bytes, type));
  } else if (path.ends_with(".npy")) {
    throw UsageError("is named .npy, but does not begin as such a file does");
  }
  if (bytes.empty()) throw UsageError("holds no elements");
  if (bytes.size() % facts(type).bytes != 0) {
    throw UsageError(
        concat("its size is no multiple of ", facts(type).bytes, " bytes, one ", facts(type).name));
  }
  return bytes;
} catch (const std::runtime_error& error) {
  throw UsageError(concat(option, path, ": ", error.what()));
}

MadeGroups groups_of(const GroupShape& shape, std::size_t n, std::uint64_t seed) {
  if (shape.by == Grouping::whole) return {n, {}, {}};
  if (shape.by == Grouping::segments) return segments_of(shape, n, seed);
  const std::size_t rows = shape.rows > 0 ? shape.rows : n / shape.columns;
  if (rows == 0) throw NotPossible(concat(n, " elements are less than a row"));
  const std::size_t pitch = shape.pitch > 0 ? shape.pitch : shape.columns;
  if (rows > most_elements / pitch)
    throw NotPossible(concat(rows, " rows of ", pitch, " elements are more than 2^60"));
  const bool by_rows = shape.by == Grouping::rows;
  return {rows * shape.columns,
          {.by = shape.by,
           .count = by_rows ? rows : shape.columns,
           .length = by_rows ? shape.columns : rows,
           .pitch = pitch},
          {}};
}

}  // namespace ladder::bench
