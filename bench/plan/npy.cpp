#include "bench/plan/npy.hpp"

#include <charconv>
#include <cstring>
#include <regex>

#include "bench/selection/parse.hpp"
#include "bench/text.hpp"

namespace ladder::bench {
namespace {

constexpr char magic[] = "\x93NUMPY";
constexpr std::size_t magic_bytes = 6;
constexpr std::size_t longest_header = 10000;  // as numpy reads them

/// The header's text and where the data begins.
struct Header {
  std::string text;
  std::size_t data = 0;
};

Header header_of(const std::string& what, const std::vector<std::byte>& bytes) {
  const auto byte = [&](std::size_t i) { return static_cast<std::size_t>(bytes[i]); };
  const auto need = [&](std::size_t size) {
    if (bytes.size() < size) throw UsageError(what + ": the .npy header is cut short");
  };
  need(magic_bytes + 4);
  const std::size_t version = byte(magic_bytes);
  if (version < 1 || version > 3)
    throw UsageError(concat(what, ": is .npy version ", version, ", which nobody here can read"));
  const std::size_t start = version == 1 ? 10 : 12;
  need(start);
  std::size_t length = byte(8) | byte(9) << 8;
  if (version > 1) length |= byte(10) << 16 | byte(11) << 24;
  if (length > longest_header)
    throw UsageError(
        concat(what, ": the .npy header has ", length, " bytes, more than ", longest_header));
  need(start + length);
  return {{reinterpret_cast<const char*>(bytes.data()) + start, length}, start + length};
}

/// The value of a key in the header's text: what the pattern's one group matches.
std::string value_of(const std::string& what, const std::string& header, const std::string& key,
                     const std::string& pattern) {
  const std::regex field("['\"]" + key + "['\"] *: *" + pattern);
  std::smatch found;
  if (!std::regex_search(header, found, field))
    throw UsageError(concat(what, ": the .npy header has no ", key, " that can be understood"));
  return found[1];
}

/// The product of the dimensions in "3, 4" or "3,"; 1 for none, a single number.
std::size_t elements_of(const std::string& what, const std::string& shape) {
  const auto refuse = [&](const char* why) {
    return UsageError(concat(what, ": the .npy header's shape (", shape, ") ", why));
  };
  static const std::regex dimension("-?[0-9]+"), whole(R"(\s*(-?[0-9]+\s*,\s*)*(-?[0-9]+)?\s*)");
  if (!std::regex_match(shape, whole)) throw refuse("cannot be understood");
  std::size_t elements = 1;
  bool empty = false, overflow = false;
  for (auto found = std::sregex_iterator(shape.begin(), shape.end(), dimension);
       found != std::sregex_iterator(); ++found) {
    const std::string text = found->str();
    if (text.front() == '-') throw refuse("has a negative dimension");
    std::size_t size = 0;
    const bool counted =
        std::from_chars(text.data(), text.data() + text.size(), size).ec == std::errc{};
    overflow |= !counted;
    empty |= counted && size == 0;
    overflow |= __builtin_mul_overflow(elements, size, &elements);
  }
  if (overflow && !empty) throw refuse("has more elements than a number can count");
  return empty ? 0 : elements;
}

void check_type(const std::string& what, const std::string& got, Type type) {
  const std::string wanted(facts(type).npy), name(facts(type).name);
  if (wanted.empty()) {
    throw UsageError(
        concat(what, ": a .npy file cannot hold ", name, "; choose the type with --types"));
  }
  if (got != wanted) {
    throw UsageError(concat(what, ": holds ", got, ", but ", name, " is ", wanted,
                            "; choose the type with --types"));
  }
}

}  // namespace

bool is_npy(const std::vector<std::byte>& bytes) {
  return bytes.size() >= magic_bytes && std::memcmp(bytes.data(), magic, magic_bytes) == 0;
}

std::size_t npy_data(const std::string& what, const std::vector<std::byte>& bytes, Type type) {
  const auto [header, data] = header_of(what, bytes);
  // The type of a structure is a list and not a word.
  const auto word = value_of(what, header, "descr", R"((['"][^'"]*['"]|\[))");
  check_type(what, word == "[" ? "a structure" : word.substr(1, word.size() - 2), type);
  if (value_of(what, header, "fortran_order", "(True|False)") == "True")
    throw UsageError(what + ": is in Fortran order; save it in C order");
  const auto elements = elements_of(what, value_of(what, header, "shape", R"(\(([^)]*)\))"));
  const auto size = facts(type).bytes, follow = bytes.size() - data;
  if (elements > follow / size || elements * size != follow) {
    throw UsageError(concat(what, ": the .npy header's shape has ", elements, " elements of ", size,
                            " bytes, but ", follow, " bytes follow"));
  }
  return data;
}

}  // namespace ladder::bench
