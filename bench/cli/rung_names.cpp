#include <algorithm>
#include <array>

#include "bench/cli/selection.hpp"
#include "bench/text.hpp"
#include "common/model/backend.hpp"

namespace ladder::bench {
namespace {

/// True if `text` is the rung's id, its slug or both together.
bool is_called(const Rung& rung, std::string_view text) {
  return text == rung.id || (!rung.slug.empty() && text == rung.slug) || text == full_name(rung);
}

/// The indices of what a rung's name or a range means in `rungs`; empty where it means nothing.
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

/// The rungs of `backend` that one part of --rungs means; empty where it means none here.
std::vector<std::size_t> rungs_of(const Backend& backend, const std::string& part) {
  std::vector<std::size_t> libraries;
  std::vector<Rung> rungs;
  for (const auto& info : backend.rungs()) {
    if (info.library) libraries.push_back(rungs.size());
    rungs.push_back(info.rung);
  }
  return part == "lib" ? libraries : named_in(rungs, part);
}

[[noreturn]] void refuse(const std::string& part, const std::set<std::string>& names,
                         const std::vector<std::string>& not_open = {}) {
  const bool range = part.find("..") != std::string::npos;
  throw UsageError(concat(
      "--rungs: '", part, "': no backend here has it",
      range ? " (a range goes from a lower rung to a higher one of one ladder)" : "",
      "; choose from ", join(names), not_open.empty() ? "" : "\n  ", join(not_open, "\n  ")));
}

}  // namespace

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
    // Only a backend knows its libraries, and its variants of a rung: r30_polled.
    const bool of_backend =
        part.starts_with("library_") || names.contains(part.substr(0, part.find('_')));
    if (!known && !of_backend) refuse(part, names);
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
    if (!known) refuse(part, names, not_open);
  }
  return chosen;
}

}  // namespace ladder::bench
