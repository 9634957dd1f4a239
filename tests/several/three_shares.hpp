#pragma once

// A backend past one device whose devices are one, with three shares: so its rungs can be tested
// where there is no second device.

#include <array>
#include <memory>
#include <utility>

#include "common/model/backend.hpp"

namespace ladder::tests {

class ThreeShares final : public Backend {
 public:
  explicit ThreeShares(std::unique_ptr<Backend> backend) : backend_(std::move(backend)) {}
  std::string_view name() const override { return backend_->name(); }
  std::span<const RungInfo> rungs() const override { return backend_->rungs(); }
  bool carries(std::size_t rung, Type type, Operation operation) const override {
    return backend_->carries(rung, type, operation);
  }
  std::optional<std::string> open(int device) override {
    const std::array devices{device, device, device};
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
};

}  // namespace ladder::tests
