#include "several/local/device_group.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
#include <string>
#include <utility>

#include "several/shares.hpp"

namespace ladder::several {
namespace {

std::vector<MemberFacts> facts_of(std::span<Device* const> members) {
  std::vector<MemberFacts> all;
  for (const Device* const member : members) all.push_back(member_facts(member->facts()));
  return all;
}

}  // namespace

template <class Act>
void DeviceGroup::on_devices(const Act& act) const {
  const Selected selected(own());
  for (Device* const device : devices_) {
    device->select();
    std::invoke(act, *device);
  }
}

/// One buffer per member; the caller sees the first member's.
class DeviceGroup::Copies final : public Buffer {
 public:
  Copies(DeviceGroup& group, std::size_t bytes) : group_(group) {
    group.on_each([&](std::size_t i) { pieces_.push_back(group.members_[i]->allocate(bytes)); });
    group_.buffers_[data()] = this;
  }
  Copies(const Copies&) = delete;
  Copies& operator=(const Copies&) = delete;
  ~Copies() override {
    group_.buffers_.erase(data());
    const Selected selected(group_.own());
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      group_.members_[i]->select();
      pieces_[i].reset();
    }
  }
  std::byte* data() override { return pieces_.front()->data(); }
  std::size_t bytes() const override { return pieces_.front()->bytes(); }
  std::byte* data_on(std::size_t index) { return pieces_[index]->data(); }

 private:
  DeviceGroup& group_;
  std::vector<std::unique_ptr<Buffer>> pieces_;
};

DeviceGroup::DeviceGroup(std::vector<Device*> members)
    : SpanningDevice(*members.front(), facts_of(members), "device"), members_(std::move(members)) {
  for (Device* const one : members_)
    if (std::ranges::find(devices_, one) == devices_.end()) devices_.push_back(one);
}

void* DeviceGroup::address_on(std::size_t index, const void* address) const {
  if (address == nullptr) return nullptr;
  const auto* const at = static_cast<const std::byte*>(address);
  const auto after = buffers_.upper_bound(at);
  if (after == buffers_.begin()) throw std::logic_error("an address of none of the buffers");
  const auto& [begin, copies] = *std::prev(after);
  if (at > begin + copies->bytes())
    throw std::logic_error("an address behind the buffer that begins before it");
  return copies->data_on(index) + (at - begin);
}

void DeviceGroup::use(Tuned tuned) {
  on_devices([&](Device& device) { device.use(tuned); });
  Device::use(std::move(tuned));
}

std::vector<Fact> DeviceGroup::conditions() {
  std::vector<Fact> all;
  on_devices([&](Device& device) {
    for (Fact& fact : device.conditions()) {
      if (&device != &own()) fact.name = std::string(device.name()) + " " + fact.name;
      all.push_back(std::move(fact));
    }
  });
  return all;
}

std::string DeviceGroup::disturbance() {
  std::string all;
  on_devices([&](Device& device) {
    add_disturbance(all, &device == &own() ? "" : device.name(), device.disturbance());
  });
  return all;
}

std::size_t DeviceGroup::free_bytes() {
  std::size_t least = ~std::size_t{0};
  on_devices([&](Device& device) { least = std::min(least, device.free_bytes()); });
  return part_of_memory(least);
}

std::unique_ptr<Buffer> DeviceGroup::allocate(std::size_t bytes) {
  return std::make_unique<Copies>(*this, bytes);
}

void DeviceGroup::fill(void* destination, Type type, const Recipe& recipe, std::uint64_t first,
                       std::size_t count) {
  on_each([&](std::size_t i) {
    members_[i]->fill(address_on(i, destination), type, recipe, first, count);
  });
}

void DeviceGroup::upload(void* destination, const void* source, std::size_t bytes) {
  on_each([&](std::size_t i) { members_[i]->upload(address_on(i, destination), source, bytes); });
}

void DeviceGroup::enqueue_set(void* destination, int byte, std::size_t bytes) {
  on_each(
      [&](std::size_t i) { members_[i]->enqueue_set(address_on(i, destination), byte, bytes); });
}

void DeviceGroup::enqueue_upload(void* destination, const void* pinned, std::size_t bytes) {
  upload(destination, pinned, bytes);
}

std::unique_ptr<Job> DeviceGroup::ceiling(std::size_t configuration, const void* input,
                                          std::size_t bytes) {
  std::vector<Part> parts;
  on_each([&](std::size_t i) {
    const Share mine =
        share_of(bytes, static_cast<unsigned>(i), static_cast<unsigned>(members_.size()));
    const auto* const from = static_cast<const std::byte*>(address_on(i, input)) + mine.first;
    parts.push_back({members_[i], members_[i]->ceiling(configuration, from, mine.count / 16 * 16)});
  });
  return std::make_unique<EachDevice>(std::move(parts));
}

std::unique_ptr<Job> DeviceGroup::floor(Floor which) {
  std::vector<Part> parts;
  on_each([&](std::size_t i) { parts.push_back({members_[i], members_[i]->floor(which)}); });
  return std::make_unique<EachDevice>(std::move(parts));
}

void DeviceGroup::evict() { on_devices(&Device::evict); }
void DeviceGroup::synchronize() { on_devices(&Device::synchronize); }

std::optional<std::string> DeviceGroup::recover() {
  std::string lost;
  on_devices([&](Device& device) {
    if (const auto why = device.recover()) lost += (lost.empty() ? "" : "; ") + *why;
  });
  if (lost.empty()) return std::nullopt;
  return lost;
}

void DeviceGroup::hold() {
  if (devices_.size() > 1) synchronize();
  on_devices(&Device::hold);
}

void DeviceGroup::mark_start() { on_devices(&Device::mark_start); }
void DeviceGroup::mark_stop() { on_devices(&Device::mark_stop); }

bool DeviceGroup::release() {
  const auto first = std::chrono::steady_clock::now();
  for (Device* const one : devices_) one->let_go();
  skew_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - first).count();
  bool held = true;
  on_devices([&](Device& device) { held &= device.release(); });
  return held;
}

std::optional<double> DeviceGroup::release_skew() const {
  if (devices_.size() < 2) return std::nullopt;
  return skew_;
}

double DeviceGroup::elapsed() {
  double longest = 0;
  on_devices([&](Device& device) { longest = std::max(longest, device.elapsed()); });
  return longest;
}

}  // namespace ladder::several
