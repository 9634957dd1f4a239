#pragma once

// JSON from outside. The library's header takes seconds to compile: units that look into a value
// include <nlohmann/json.hpp> themselves.

#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace ladder::bench {

/// Keeps the order of its fields.
using Json = nlohmann::ordered_json;

/// Reads one value. Throws `Json::exception` for what is none, and `NotPossible` for arrays and
/// objects far deeper in one another than any of ours: to copy or print such a value takes the
/// stack, a call for each level.
Json parsed(std::string_view text);

}  // namespace ladder::bench
