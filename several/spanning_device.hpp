#pragma once

// Several devices as one: the common part of all kinds. Each device holds the whole input and reads
// its share of it. So each size is a prefix, as on one device, and shares can be cut anywhere. The
// device with the least memory limits the size.

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/device/device.hpp"
#include "common/operations.hpp"

namespace ladder::several {

/// Facts that a device sends to the others, as bytes that can cross processes.
struct MemberFacts {
  std::array<char, 256> name{}, id{}, peak_source{};
  double peak_gbs = 0;  ///< NaN: unknown
  std::uint64_t last_level_cache = 0, memory_bytes = 0;
  std::uint32_t units = 0, max_workers = 0;
};
MemberFacts member_facts(const DeviceFacts& facts);

/// Combines the facts of all into those of one device. `own`: facts of the first; `member`: the
/// word for one of them, "device" or "rank".
DeviceFacts facts_of_all(const DeviceFacts& own, std::span<const MemberFacts> all,
                         std::string_view member);

/// Represents several devices. Work for a single device runs on the first, or on this process's.
class SpanningDevice : public Device {
 public:
  SpanningDevice(Device& own, std::span<const MemberFacts> all, std::string_view member);

  std::string_view name() const override { return name_; }
  const DeviceFacts& facts() const override { return facts_; }
  void select() override { own_.select(); }
  std::vector<Fact> conditions() override { return own_.conditions(); }
  std::string disturbance() override { return own_.disturbance(); }
  std::unique_ptr<Buffer> allocate_pinned(std::size_t bytes) override {
    return own_.allocate_pinned(bytes);
  }
  void download(void* destination, const void* source, std::size_t bytes) override {
    own_.download(destination, source, bytes);
  }
  std::vector<std::string> ceiling_configurations() const override {
    return own_.ceiling_configurations();
  }
  Eviction eviction() const override { return own_.eviction(); }

 protected:
  Device& own() const { return own_; }
  /// Adds what disturbed a member to `all`, which commas separate; `who`: its name, empty for the
  /// first.
  static void add_disturbance(std::string& all, std::string_view who, std::string_view what);
  /// Share of `least` bytes for each member: those on one device share its memory.
  std::size_t part_of_memory(std::uint64_t least) const;

 private:
  Device& own_;
  std::size_t sharing_;  ///< members on the device that has most of them
  std::string name_;
  DeviceFacts facts_;
};

/// Footprint of the members' runs: `all` as one pass, and one more operation per result. `own`
/// describes the kernel.
Footprint footprint_of(const Pass& all, const Footprint& own, unsigned shares);
/// Combines the launches of `footprint` into one pass.
Pass pass_of(const Footprint& footprint);
/// Combines concurrent passes: bytes are added up, the depth is the larger one.
Pass side_by_side(const Pass& a, const Pass& b);

/// Combines `a` and `b`; both have the type of the operation's accumulator.
Value combined(const Value& a, const Value& b, Operation operation);

}  // namespace ladder::several
