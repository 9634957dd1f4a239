#pragma once

// A backend on several devices, for the tests of what every rung promises: on three shares of one
// device, which is all that most machines have, and on two devices.

#include <algorithm>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "common/model/backend.hpp"

namespace ladder::tests {

class OnShares final : public Backend {
 public:
  /// `behind`: the device of each share, counted from the one that a test opens.
  OnShares(std::unique_ptr<Backend> backend, const std::string& where, std::vector<int> behind)
      : backend_(std::move(backend)),
        name_(std::string(backend_->name()) + where),
        rungs_(backend_->rungs().begin(), backend_->rungs().end()),
        behind_(std::move(behind)) {
    std::vector<int> sorted = behind_;
    std::ranges::sort(sorted);
    if (std::ranges::adjacent_find(sorted) == sorted.end()) return;
    for (RungInfo& info : rungs_)
      if (info.rung.id == "m01" && info.why_absent.empty())
        info.why_absent = "takes a GPU for each share";
  }
  std::string_view name() const override { return name_; }
  std::span<const RungInfo> rungs() const override { return rungs_; }
  bool carries(std::size_t rung, Type type, Operation operation) const override {
    return rungs_[rung].why_absent.empty() && backend_->carries(rung, type, operation);
  }
  std::optional<std::string> open(int device) override {
    std::vector<int> devices;
    std::ranges::transform(behind_, std::back_inserter(devices), [=](int i) { return device + i; });
    return backend_->open_on(devices);
  }
  Device& device() const override { return backend_->device(); }
  std::vector<Fact> facts() const override { return backend_->facts(); }
  Tuning resolve(std::size_t rung, const Problem& problem, const Tuning& tuning) const override {
    return backend_->resolve(rung, problem, tuning);
  }
  std::unique_ptr<Job> prepare(std::size_t rung, const Problem& problem,
                               const Tuning& tuning) override {
    return backend_->prepare(rung, problem, tuning);
  }

 private:
  std::unique_ptr<Backend> backend_;
  std::string name_;
  std::vector<RungInfo> rungs_;
  std::vector<int> behind_;
};

using Backends = std::vector<std::unique_ptr<Backend>>;

/// Each of what `make` makes, on three shares of one device.
inline void add_three_shares(Backends& all, Backends made) {
  for (auto& backend : made)
    all.push_back(std::make_unique<OnShares>(std::move(backend), "", std::vector{0, 0, 0}));
}

/// Each of them on two devices; its tests are skipped where there is one.
inline void add_two_devices(Backends& all, Backends made) {
  for (auto& backend : made)
    all.push_back(std::make_unique<OnShares>(std::move(backend), "_on_two", std::vector{0, 1}));
}

}  // namespace ladder::tests
