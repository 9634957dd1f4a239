#include "bench/text.hpp"

#include <bit>
#include <cstdint>
#include <cstdio>
#include <stdexcept>

#include <nlohmann/json.hpp>

namespace ladder::bench {

std::string hash_of(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
  return text;
}

Json parsed(std::string_view text) {
  constexpr int deepest = 64;
  return Json::parse(text, [](int depth, Json::parse_event_t, const Json&) {
    if (depth > deepest) throw std::range_error("is nested too deeply");
    return true;
  });
}

std::string elements_text(std::size_t n) {
  if (n >= 16 && std::has_single_bit(n)) return "2^" + std::to_string(std::countr_zero(n));
  return std::to_string(n);
}

}  // namespace ladder::bench
