#pragma once

// Several devices as one, and what all kinds of them have in common. Each device holds the whole
// input and reads its share of it, so that each size is a prefix, as on one device, and shares can
// be cut anywhere; the device with the least memory limits the size.

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/device/device.hpp"
#include "common/operations.hpp"

namespace ladder::several {

/// What one device tells the others of itself, as bytes that can go from process to process.
struct MemberFacts {
  std::array<char, 256> name{}, id{}, peak_source{};
  double peak_gbs = 0;  ///< NaN: unknown
  std::uint64_t last_level_cache = 0, memory_bytes = 0;
  std::uint32_t units = 0, max_workers = 0;
};
MemberFacts member_facts(const DeviceFacts& facts);

/// The facts of all as those of one device. `own`: of the first; `member`: what one of them is
/// called, "device" or "rank".
DeviceFacts facts_of_all(const DeviceFacts& own, std::span<const MemberFacts> all,
                         std::string_view member);

/// A device that stands for several. What needs one of them alone is done by the first, or by that
/// of this process.
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
  /// The part of `least` bytes that each may take: members on one device share its memory.
  std::size_t part_of_memory(std::uint64_t least) const;

 private:
  Device& own_;
  std::size_t members_;
  std::string name_;
  DeviceFacts facts_;
};

/// What the members' runs do together: `all` side by side as one pass, and one operation more for
/// each result. `own` speaks for the kernel.
Footprint footprint_of(const Pass& all, const Footprint& own, unsigned shares);
/// The launches of `footprint` as one pass.
Pass pass_of(const Footprint& footprint);
/// Two that run at the same time: bytes are added up, the depth is the larger one.
Pass side_by_side(const Pass& a, const Pass& b);

/// `a` and `b` by the operation; both are of its accumulator.
Value combined(const Value& a, const Value& b, Operation operation);

}  // namespace ladder::several
