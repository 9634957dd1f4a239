#pragma once

// Several devices of this process as one: their streams are held and let go together.

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
  /// Over open devices. One may come twice: then it has several shares, each with an input of its
  /// own.
  explicit DeviceGroup(std::vector<Device*> members);

  /// Gives all members these choices.
  void use(Tuned tuned) override;
  /// The first one's, as on one device, and what is told of each of the others behind its name.
  std::vector<Fact> conditions() override;

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
  /// Once all have nothing left to do, or each would start when its own eviction has ended.
  void hold() override;
  void mark_start() override;
  void mark_stop() override;
  bool release() override;
  /// A store for each device, and the reading of the clock itself. How long after its store a
  /// device sees it, no clock of the host tells.
  std::optional<double> release_skew() const override;
  /// The longest of the devices' own times.
  double elapsed() override;

  /// All members in order, and each device once.
  std::span<Device* const> members() const { return members_; }
  std::span<Device* const> devices() const { return devices_; }
  /// Where member `index` has what the first one has at `address`; null for null.
  void* address_on(std::size_t index, const void* address) const;
  /// `act(index)` for each member, or for the first so many, its device selected; the first one is
  /// selected again in any case. An error names its member.
  template <class Act>
  void on_each(const Act& act, std::size_t count = ~std::size_t{0}) const;

 private:
  class Copies;

  /// `act(device)` for each device once, selected.
  template <class Act>
  void on_devices(const Act& act) const;

  std::vector<Device*> members_, devices_;
  std::map<const std::byte*, Copies*> buffers_;  ///< by where the first member's begin
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
