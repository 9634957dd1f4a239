#pragma once

// Several devices of this process as one; their streams are held and released together.

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "several/local/each_device.hpp"

namespace ladder::several {

class DeviceGroup final : public SpanningDevice {
 public:
  /// Groups open devices. A device may appear twice: then it has several shares, each with its own
  /// input.
  explicit DeviceGroup(std::vector<Device*> members);

  /// Applies these choices to all members.
  void use(Tuned tuned) override;
  /// Conditions of all devices; the names of all but the first's have the device as prefix.
  std::vector<Fact> conditions() override;
  /// Disturbances of all devices, likewise.
  std::string disturbance() override;

  std::size_t free_bytes() override;
  std::unique_ptr<Buffer> allocate(std::size_t bytes) override;
  void fill(void* destination, Type type, const Recipe& recipe, std::uint64_t first,
            std::size_t count) override;
  void upload(void* destination, const void* source, std::size_t bytes) override;
  void enqueue_set(void* destination, int byte, std::size_t bytes) override;
  void enqueue_upload(void* destination, const void* pinned, std::size_t bytes) override;

  std::unique_ptr<Job> ceiling(std::size_t configuration, const void* input,
                               std::size_t bytes) override;
  std::unique_ptr<Job> floor(Floor which) override;

  void evict() override;
  void synchronize() override;
  std::optional<std::string> recover() override;

  bool has_timer() const override { return devices_.front()->has_timer(); }
  /// Waits for all devices first; otherwise each would start when its own eviction ends.
  void hold() override;
  void mark_start() override;
  void mark_stop() override;
  bool release() override;
  /// Covers one store per device and the clock reading. The host cannot measure how long after its
  /// store a device sees it.
  std::optional<double> release_skew() const override;
  /// Maximum of the devices' own times.
  double elapsed() override;

  /// Each device once.
  std::span<Device* const> devices() const { return devices_; }
  /// Address on member `index` of the first member's `address`; null for null.
  void* address_on(std::size_t index, const void* address) const;
  /// Calls `act(index)` for the first `count` members, each with its device selected. Always
  /// selects the first device again. An error names its member.
  template <class Act>
  void on_each(const Act& act, std::size_t count = ~std::size_t{0}) const;

 private:
  class Copies;

  /// Calls `act(device)` once per device, with the device selected.
  template <class Act>
  void on_devices(const Act& act) const;

  std::vector<Device*> members_, devices_;
  std::map<const std::byte*, Copies*> buffers_;  ///< by the start of the first member's
  double skew_ = 0;                              ///< of the last release
};

template <class Act>
void DeviceGroup::on_each(const Act& act, std::size_t count) const {
  const Selected selected(own());
  for (std::size_t i = 0; i < std::min(count, members_.size()); ++i) {
    members_[i]->select();
    named(i, [&] { act(i); });
  }
}

}  // namespace ladder::several
