#include "bench/plan/npy.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <string_view>

#include "bench/cli/parse.hpp"
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

constexpr std::string_view spaces = " \t\n\r\f\v";

/// `text` from its first character that is no space.
std::string_view trimmed(std::string_view text) {
  return text.substr(std::min(text.size(), text.find_first_not_of(spaces)));
}

[[noreturn]] void refuse(const std::string& what, const char* key) {
  throw UsageError(concat(what, ": the .npy header has no ", key, " that can be understood"));
}

/// What follows a key's colon in the header's text. A regular expression would do, but takes a call
/// for each character that it matches, and the stack is finite.
std::string_view behind_key(const std::string& what, std::string_view header, const char* key) {
  for (const char quote : {'\'', '"'}) {
    const auto quoted = concat(quote, key, quote);
    for (auto at = header.find(quoted); at != std::string_view::npos;
         at = header.find(quoted, at + 1)) {
      const auto rest = trimmed(header.substr(at + quoted.size()));
      if (rest.starts_with(':')) return trimmed(rest.substr(1));
    }
  }
  refuse(what, key);
}

/// The type's name; of a structure, which is a list and not a word, that.
std::string_view type_in(const std::string& what, std::string_view header) {
  const auto text = behind_key(what, header, "descr");
  if (text.starts_with('[')) return "a structure";
  if (!text.starts_with('\'') && !text.starts_with('"')) refuse(what, "descr");
  const auto end = text.find(text.front(), 1);
  if (end == std::string_view::npos) refuse(what, "descr");
  return text.substr(1, end - 1);
}

bool in_fortran_order(const std::string& what, std::string_view header) {
  const auto text = behind_key(what, header, "fortran_order");
  if (!text.starts_with("True") && !text.starts_with("False")) refuse(what, "fortran_order");
  return text.starts_with("True");
}

/// The product of the dimensions in "3, 4" or "3,"; 1 for none, a single number.
std::size_t elements_in(const std::string& what, std::string_view header) {
  const auto text = behind_key(what, header, "shape");
  const auto end = text.find(')');
  if (!text.starts_with('(') || end == std::string_view::npos) refuse(what, "shape");
  const auto shape = text.substr(1, end - 1);
  const auto cannot = [&](const char* why) {
    return UsageError(concat(what, ": the .npy header's shape (", shape, ") ", why));
  };
  std::size_t elements = 1;
  bool empty = false, overflow = false, negative = false;
  for (auto rest = trimmed(shape); !rest.empty();) {
    const bool minus = rest.starts_with('-');
    if (minus) rest.remove_prefix(1);
    const auto digits = std::min(rest.size(), rest.find_first_not_of("0123456789"));
    if (digits == 0) throw cannot("cannot be understood");
    std::size_t size = 0;
    const bool counted = std::from_chars(rest.data(), rest.data() + digits, size).ec == std::errc{};
    negative |= minus;
    overflow |= !counted;
    empty |= counted && size == 0;
    overflow |= __builtin_mul_overflow(elements, size, &elements);
    rest = trimmed(rest.substr(digits));
    if (rest.empty()) break;
    if (rest.front() != ',') throw cannot("cannot be understood");
    rest = trimmed(rest.substr(1));
  }
  if (negative) throw cannot("has a negative dimension");
  if (overflow && !empty) throw cannot("has more elements than a number can count");
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
  check_type(what, std::string(type_in(what, header)), type);
  if (in_fortran_order(what, header))
    throw UsageError(what + ": is in Fortran order; save it in C order");
  const auto elements = elements_in(what, header);
  const auto size = facts(type).bytes, follow = bytes.size() - data;
  if (elements > follow / size || elements * size != follow) {
    throw UsageError(concat(what, ": the .npy header's shape has ", elements, " elements of ", size,
                            " bytes, but ", follow, " bytes follow"));
  }
  return data;
}

}  // namespace ladder::bench
