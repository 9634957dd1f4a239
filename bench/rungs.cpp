#include "bench/rungs.hpp"

#include <algorithm>
#include <set>

namespace ladder::bench {
namespace {

std::vector<std::string> all_rung_names(std::span<const std::unique_ptr<Backend>> backends) {
  std::set<std::string> names{"lib"};
  for (const auto& backend : backends) {
    for (const auto& info : backend->rungs()) names.insert(std::string(info.rung.id));
  }
  return {names.begin(), names.end()};
}

std::optional<std::size_t> find_rung(const Backend& backend, std::string_view text) {
  const auto rungs = backend.rungs();
  for (std::size_t i = 0; i < rungs.size(); ++i) {
    const auto& rung = rungs[i].rung;
    if (text == rung.id || (!rung.slug.empty() && text == rung.slug) || text == full_name(rung))
      return i;
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

/// Sweeps are over the rungs of one ladder, which need not be that of the backends asked for.
void check_sweep(const Selection& selection, std::span<const std::unique_ptr<Backend>> backends) {
  std::vector<const Backend*> asked;
  std::string names, missing;
  const auto append = [](std::string& list, std::string_view word) {
    list += (list.empty() ? "" : ", ") + std::string(word);
  };
  for (const auto& backend : backends) {
    const auto& by_name = selection.backends;
    if (!by_name.empty() && std::ranges::find(by_name, backend->name()) == by_name.end()) continue;
    asked.push_back(backend.get());
    append(names, backend->name());
  }
  for (const auto& part : selection.rungs) {
    const bool known = std::ranges::any_of(
        asked, [&](const auto* backend) { return !rungs_of(*backend, part).empty(); });
    if (!known) append(missing, part);
  }
  if (!missing.empty()) {
    throw UsageError("--sweep=" + selection.rungs_sweep + ": no backend here (" + names +
                     ") has its rungs " + missing + "; name others with --rungs");
  }
}

}  // namespace

void check_rungs(const Selection& selection, std::span<const std::unique_ptr<Backend>> backends) {
  if (!selection.rungs_sweep.empty()) return check_sweep(selection, backends);
  for (const auto& part : selection.rungs) {
    const bool known = part == "lib" || std::ranges::any_of(backends, [&](const auto& backend) {
                         return !rungs_of(*backend, part).empty();
                       });
    if (!known) {
      const auto names = all_rung_names(backends);
      throw UsageError("--rungs: '" + part + "' is unknown" +
                       (part.find("..") != std::string::npos
                            ? " (a range goes from a lower rung to a higher one of one ladder)"
                            : "") +
                       "; " + nearest(part, names));
    }
  }
}

std::vector<std::size_t> selected_rungs(const Selection& selection, const Backend& backend) {
  std::set<std::size_t> chosen;
  for (const auto& part : selection.rungs) {
    for (const auto rung : rungs_of(backend, part)) chosen.insert(rung);
  }
  if (selection.rungs.empty()) {
    for (std::size_t i = 0; i < backend.rungs().size(); ++i) chosen.insert(i);
  }
  return {chosen.begin(), chosen.end()};
}

}  // namespace ladder::bench
