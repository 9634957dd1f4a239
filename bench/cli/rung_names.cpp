#include "bench/cli/rung_names.hpp"

#include "bench/text.hpp"

namespace ladder::bench {
namespace {

std::optional<std::size_t> find_rung(const Backend& backend, std::string_view text) {
  const auto rungs = backend.rungs();
  for (std::size_t i = 0; i < rungs.size(); ++i) {
    if (is_called(rungs[i].rung, text)) return i;
  }
  return std::nullopt;
}

/// The rungs of `backend` that one part of --rungs means; empty where it means none here.
std::vector<std::size_t> rungs_of(const Backend& backend, const std::string& part) {
  const auto rungs = backend.rungs();
  std::vector<std::size_t> found;
  if (part == "lib") {
    for (std::size_t i = 0; i < rungs.size(); ++i) {
      if (rungs[i].library) found.push_back(i);
    }
  } else if (const auto dots = part.find(".."); dots != std::string::npos) {
    const auto first = find_rung(backend, std::string_view(part).substr(0, dots));
    const auto last = find_rung(backend, std::string_view(part).substr(dots + 2));
    if (first && last) {
      for (std::size_t i = *first; i <= *last; ++i) found.push_back(i);
    }
  } else if (const auto one = find_rung(backend, part)) {
    found.push_back(*one);
  }
  return found;
}

[[noreturn]] void refuse(const std::string& part,
                         std::span<const std::unique_ptr<Backend>> backends) {
  std::set<std::string> names{"lib"};
  for (const auto& backend : backends) {
    for (const auto& info : backend->rungs()) names.insert(std::string(info.rung.id));
  }
  const std::vector<std::string> choices(names.begin(), names.end());
  const bool range = part.find("..") != std::string::npos;
  throw UsageError(
      concat("--rungs: '", part, "' is unknown",
             range ? " (a range goes from a lower rung to a higher one of one ladder)" : "", "; ",
             nearest(part, choices)));
}

}  // namespace

bool is_called(const Rung& rung, std::string_view text) {
  return text == rung.id || (!rung.slug.empty() && text == rung.slug) || text == full_name(rung);
}

std::map<const Backend*, std::set<std::size_t>> chosen_rungs(
    const Selection& selection, std::span<const std::unique_ptr<Backend>> backends) {
  const bool sweep = !selection.rungs_sweep.empty();
  std::map<const Backend*, std::set<std::size_t>> chosen;
  std::vector<std::string> asked, missing;
  for (const auto& backend : backends) {
    auto& rungs = chosen[backend.get()];
    for (std::size_t i = 0; selection.rungs.empty() && i < backend->rungs().size(); ++i)
      rungs.insert(i);
    if (selection.asks_for(backend->name())) asked.emplace_back(backend->name());
  }
  for (const auto& part : selection.rungs) {
    bool known = part == "lib" && !sweep;
    for (const auto& backend : backends) {
      const auto found = rungs_of(*backend, part);
      chosen[backend.get()].insert(found.begin(), found.end());
      // A sweep is over the rungs of one ladder, which need not be that of the backends asked for.
      known |= !found.empty() && (!sweep || selection.asks_for(backend->name()));
    }
    if (!known && selection.rungs_may_lack) continue;
    if (!known && !sweep) refuse(part, backends);
    if (!known) missing.push_back(part);
  }
  if (!missing.empty()) {
    throw UsageError(concat("--sweep=", selection.rungs_sweep, ": no backend here (", join(asked),
                            ") has its rungs ", join(missing), "; name others with --rungs"));
  }
  return chosen;
}

}  // namespace ladder::bench
