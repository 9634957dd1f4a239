#pragma once

// A backend's rungs: its tables of the ladders, and one list of these and the entries past them.

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "common/model/backend.hpp"

namespace ladder {

/// One cell of a backend's table: how to find the rung for a type and an operation, or why there is
/// none. Without a default constructor, a table with a hole does not compile; `complete` checks the
/// order.
template <class Queue>
struct Entry {
  std::string_view id;
  Run<Queue> (*find)(Type, Operation) = nullptr;
  std::string_view why_absent;
  Tuning defaults;       ///< replaces zeros in `Tuning`; `grid` here is in blocks per SM
  bool blocks = false;   ///< the call returns only when the result can be read on the host
  bool present = false;  ///< `find` is set; with GCC's sanitizers not testable at compile time
  Need need;

  consteval Entry(std::string_view rung, Run<Queue> (*finder)(Type, Operation), Tuning tuning = {},
                  bool blocking = false)
      : id(rung), find(finder), defaults(tuning), blocks(blocking), present(true) {}
  consteval Entry(std::string_view rung, Run<Queue> (*finder)(Type, Operation), Tuning tuning,
                  Need needed)
      : id(rung), find(finder), defaults(tuning), present(true), need(needed) {}
  consteval Entry(std::string_view rung, std::nullptr_t, Tuning = {}, bool = false) = delete;
  consteval Entry(std::string_view rung, std::string_view reason) : id(rung), why_absent(reason) {}
};

/// True if a backend's table has every rung of `ladder`, in order, each carried or absent with a
/// reason.
template <class Table, std::size_t size>
consteval bool complete(const Table& table, const std::array<Rung, size>& ladder) {
  if (table.size() != size) return false;
  for (std::size_t i = 0; i < size; ++i) {
    if (table[i].id != ladder[i].id) return false;
    if (!table[i].present && table[i].why_absent.empty()) return false;
  }
  return true;
}

/// An entry past the ladder: a library rung, or one that only a test links.
template <class Queue>
struct Extra {
  Rung rung;
  Entry<Queue> entry;
  bool library = true;
  /// Prepares a library's own threads before it is timed with `workers` threads. Null: no-op.
  void (*make_ready)(Queue&, unsigned workers) = nullptr;
};

template <class Queue>
class Roster {
 public:
  /// `batch`: entries of `batch_ladder`, whose rungs get `batch_axes` here.
  Roster(std::span<const Rung> ladder, std::span<const Entry<Queue>> table,
         std::span<const Extra<Queue>> library, std::span<const Extra<Queue>> more,
         std::span<const Entry<Queue>> batch = {}, bool all_block = false,
         unsigned batch_axes = no_axis)
      : all_block_(all_block) {
    add(ladder, table, no_axis);
    add(batch_ladder, batch, batch_axes);
    for (const auto& extra : library) add(extra);
    for (const auto& extra : more) add(extra);
  }

  std::span<const RungInfo> infos() const { return infos_; }

  bool carries(std::size_t rung, Type type, Operation operation) const {
    return entries_[rung].find != nullptr && entries_[rung].find(type, operation) != nullptr;
  }

  /// Returns the rung's launcher; throws `NotPossible` with a sentence if there is none.
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

  /// True if the rung itself leaves its result on the host, regardless of the backend.
  bool leaves_on_host(std::size_t rung) const { return entries_[rung].blocks; }
  const Tuning& defaults(std::size_t rung) const { return entries_[rung].defaults; }
  void make_ready(std::size_t rung, Queue& queue, unsigned workers) const {
    if (ready_[rung] != nullptr) ready_[rung](queue, workers);
  }

 private:
  void add(std::span<const Rung> ladder, std::span<const Entry<Queue>> table, unsigned axes) {
    for (std::size_t i = 0; i < table.size(); ++i) {
      Rung rung = ladder[i];
      rung.axes |= axes;
      add({rung, table[i], false});
    }
  }
  void add(const Extra<Queue>& extra) {
    const auto& entry = extra.entry;
    infos_.push_back(
        {extra.rung, entry.why_absent, extra.library, entry.blocks || all_block_, entry.need});
    entries_.push_back(entry);
    ready_.push_back(extra.make_ready);
  }

  bool all_block_;  ///< every rung blocks, as in a host's execution space
  std::vector<RungInfo> infos_;
  std::vector<Entry<Queue>> entries_;
  std::vector<void (*)(Queue&, unsigned)> ready_;
};

}  // namespace ladder
