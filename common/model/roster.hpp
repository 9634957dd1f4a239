#pragma once

// A backend's rungs as one list: its table of the ladder, then the entries past it.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "common/model/backend.hpp"

namespace ladder {

/// An entry past the ladder: a library rung, or one that only a test links.
template <class Queue>
struct Extra {
  Rung rung;
  Entry<Queue> entry;
  bool library = true;
};

template <class Queue>
class Roster {
 public:
  Roster(std::span<const Rung> ladder, std::span<const Entry<Queue>> table,
         std::span<const Extra<Queue>> library, std::span<const Extra<Queue>> more) {
    for (std::size_t i = 0; i < table.size(); ++i) add(ladder[i], table[i], false);
    for (const auto& extra : library) add(extra.rung, extra.entry, extra.library);
    for (const auto& extra : more) add(extra.rung, extra.entry, extra.library);
  }

  std::span<const RungInfo> infos() const { return infos_; }

  bool carries(std::size_t rung, Type type, Operation operation) const {
    return entries_[rung].find != nullptr && entries_[rung].find(type, operation) != nullptr;
  }

  /// The rung's launcher; throws `NotPossible` with a sentence where there is none.
  Run<Queue> find(std::size_t rung, Type type, Operation operation) const {
    const auto& info = infos_[rung];
    if (!info.why_absent.empty()) {
      throw NotPossible(std::string(info.rung.id) + " is absent: " + std::string(info.why_absent));
    }
    if (!carries(rung, type, operation)) {
      throw NotPossible(std::string(info.rung.id) + " does not carry " +
                        std::string(facts(type).name) + " " + std::string(facts(operation).name));
    }
    return entries_[rung].find(type, operation);
  }

  const Tuning& defaults(std::size_t rung) const { return entries_[rung].defaults; }

 private:
  void add(const Rung& rung, const Entry<Queue>& entry, bool library) {
    infos_.push_back({rung, entry.why_absent, library, entry.blocks});
    entries_.push_back(entry);
  }

  std::vector<RungInfo> infos_;
  std::vector<Entry<Queue>> entries_;
};

}  // namespace ladder
