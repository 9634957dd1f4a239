#include "bench/json_text.hpp"

#include <nlohmann/json.hpp>

#include "common/device/device.hpp"

namespace ladder::bench {

Json parsed(std::string_view text) {
  constexpr int deepest = 64;
  return Json::parse(text, [](int depth, Json::parse_event_t, const Json&) {
    if (depth > deepest) throw NotPossible("is nested too deeply");
    return true;
  });
}

}  // namespace ladder::bench
