#pragma once

// A job on each of several devices, as one job.

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "several/spanning_device.hpp"

namespace ladder::several {

/// A device, and a job on it.
struct Part {
  Device* device;
  std::unique_ptr<Job> job;
};

/// Selects the device again at the end of the scope.
class Selected {
 public:
  explicit Selected(Device& device) : device_(device) {}
  ~Selected() { device_.select(); }
  Selected(const Selected&) = delete;
  Selected& operator=(const Selected&) = delete;

 private:
  Device& device_;
};

/// Calls `act()`. An error names device `index`.
template <class Act>
void named(std::size_t index, const Act& act) {
  const auto told = [&](const std::exception& error) {
    return "device " + std::to_string(index) + ": " + error.what();
  };
  try {
    act();
  } catch (const NotPossible& reason) {
    throw NotPossible(told(reason));
  } catch (const std::exception& error) {
    throw std::runtime_error(told(error));
  }
}

/// All parts as one job. Its result is the first part's, whose device is selected again after each
/// call.
class EachDevice : public Job {
 public:
  explicit EachDevice(std::vector<Part> parts) : parts_(std::move(parts)) {
    Pass all;
    for (const Part& part : parts_) all = side_by_side(all, pass_of(part.job->footprint()));
    footprint_ = footprint_of(all, first().footprint(), shares());
  }
  void arm() override { on_each(&Job::arm); }
  void disarm() override { on_each(&Job::disarm); }
  void run() override { on_each(&Job::run); }
  void fetch() override { on_each(&Job::fetch); }
  void spoil() override { on_each(&Job::spoil); }
  Value result() const override { return first().result(); }
  const Footprint& footprint() const override { return footprint_; }

 protected:
  const std::vector<Part>& parts() const { return parts_; }
  Job& first() const { return *parts_.front().job; }
  unsigned shares() const { return static_cast<unsigned>(parts_.size()); }
  void select_first() const { parts_.front().device->select(); }
  void on_each(void (Job::*act)()) const {
    const Selected selected(*parts_.front().device);
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      parts_[i].device->select();
      named(i, [&] { (parts_[i].job.get()->*act)(); });
    }
  }

 private:
  std::vector<Part> parts_;
  Footprint footprint_;
};

}  // namespace ladder::several
