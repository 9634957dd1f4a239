#pragma once

// Which rungs --rungs means: ids, slugs, ranges, "lib".

#include <map>
#include <memory>
#include <set>
#include <span>

#include "bench/cli/selection.hpp"
#include "common/model/backend.hpp"

namespace ladder::bench {

/// Whether `text` is the rung's id, its slug or both together.
bool is_called(const Rung& rung, std::string_view text);

/// Throws `UsageError` for a part of --rungs that no ladder has. Accepts any name that begins with
/// `library_` or with a rung's id and `_`: only a backend knows its libraries and variants.
void check_rung_names(const std::vector<std::string>& parts);

/// Of each backend the indices into `rungs()`. Throws `UsageError` where a part of the
/// list means nothing on any of them.
std::map<const Backend*, std::set<std::size_t>> chosen_rungs(
    const Selection& selection, std::span<const std::unique_ptr<Backend>> backends);

}  // namespace ladder::bench
