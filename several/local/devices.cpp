#include "several/local/devices.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "common/model/reduction.hpp"
#include "common/size_text.hpp"
#include "several/local/device_group.hpp"
#include "several/local/several_choice.hpp"
#include "several/several_backend.hpp"

namespace ladder::several {

namespace {

/// m00: every device reduces its share, the host combines the results.
class HostAdds final : public EachDevice {
 public:
  HostAdds(std::vector<Part> all, const Problem& problem)
      : EachDevice(std::move(all)),
        operation_(problem.operation),
        result_{accumulator_of(problem.type, problem.operation), 0} {
    std::vector<Device*> seen;
    for (const Part& part : parts()) {
      // Shares of one device run in sequence, since they write their results to one place.
      const auto round = static_cast<std::size_t>(std::ranges::count(seen, part.device));
      seen.push_back(part.device);
      if (rounds_.size() == round) rounds_.emplace_back();
      rounds_[round].push_back(&part);
    }
  }
  void run() override {
    bool any = false;
    for (const auto& round : rounds_) {
      for (const Part* const part : round) {
        part->device->select();
        part->job->run();
      }
      for (const Part* const part : round) {
        part->device->select();
        part->job->fetch();
        result_ = any ? combined(result_, part->job->result(), operation_) : part->job->result();
        any = true;
      }
    }
    select_first();
  }
  void fetch() override {}
  void spoil() override {
    EachDevice::spoil();
    std::memset(&result_.bits, spoiled_byte, facts(result_.type).bytes);
  }
  Value result() const override { return result_; }
  Tuning tuning() const override {
    return {.workers = first().tuning().workers, .shares = shares()};
  }

 private:
  Operation operation_;
  std::vector<std::vector<const Part*>> rounds_;
  Value result_;
};

constexpr std::string_view over_mpi = "takes a process for each device: the backends mpi/...";
constexpr std::string_view not_written = "is not written for this model";
constexpr std::string_view no_choice = "there is m00 alone here: nothing to choose from";

constexpr std::size_t place_of(std::string_view id) {
  return static_cast<std::size_t>(std::ranges::find(several_ladder, id, &Rung::id) -
                                  several_ladder.begin());
}
constexpr std::size_t m00 = place_of("m00"), m02 = place_of("m02"), m04 = place_of("m04");

class OneProcess final : public SeveralBackend {
 public:
  using Make = std::vector<std::unique_ptr<Backend>> (*)();

  OneProcess(Make make, std::vector<Own> own, Topology topology)
      : SeveralBackend("several", "device", std::move(make().front()),
                       {"", not_written, not_written, over_mpi, no_choice}),
        make_(make),
        own_(std::move(own)),
        topology_(topology) {
    for (std::size_t i = 0; i < rungs().size(); ++i) {
      if (own_of(i) == nullptr) continue;
      infos()[i].rung = several_ladder[i];  // without the tuned rung's axes
      infos()[i].why_absent = {};
      infos()[i].blocks = false;
    }
    if (own_of(m02) != nullptr) infos()[m04].why_absent = {};  // it blocks like m00
  }

  bool carries(std::size_t rung, Type type, Operation operation) const override {
    const Own* const special = own_of(rung);
    if (special != nullptr && !special->carries(type, operation)) return false;
    return (special != nullptr && special->prepare != nullptr) ||
           SeveralBackend::carries(rung, type, operation);
  }

  std::optional<std::string> open(int device) override { return open_on({&device, 1}); }
  std::optional<std::string> open_on(std::span<const int> devices) override {
    if (devices.front() == every_device) {
      const auto one = std::move(make_().front());
      if (auto problem = one->open_on(devices)) return problem;
      std::vector<int> numbers(static_cast<std::size_t>(one->device().facts().seen));
      std::iota(numbers.begin(), numbers.end(), 0);
      if (numbers.size() < 2) return "runs on several devices, and one alone is seen here";
      return open_on(numbers);
    }
    if (group_ != nullptr && std::ranges::equal(devices, numbers_)) return std::nullopt;
    if (devices.size() < 2) return "runs on several devices: name them, say --devices=0,1";
    std::vector<std::unique_ptr<Backend>> members;
    std::vector<Device*> opened;
    for (const int device : devices) {
      members.push_back(std::move(make_().front()));
      if (const auto why = members.back()->open(device))
        return "device " + std::to_string(members.size() - 1) + ": " + *why;
      opened.push_back(&members.back()->device());
    }
    // A single-device backend of the same process expects the first device to be current.
    opened.front()->select();
    group_ = std::make_unique<DeviceGroup>(std::move(opened));
    members_ = std::move(members);
    numbers_.assign(devices.begin(), devices.end());
    return std::nullopt;
  }
  Device& device() const override { return *group_; }

  std::vector<Fact> facts() const override {
    std::vector<Fact> facts = SeveralBackend::facts();
    if (own_of(m02) != nullptr) {
      facts.push_back({"m04 chooses",
                       "m02's kernel for shares below " + size_text(too_large_for_peer_writes) +
                           " where the devices reach each other, its result written into the "
                           "host's memory; else m00",
                       "several/local/several_choice.hpp"});
    }
    if (topology_ == nullptr) return facts;
    for (Fact& fact : topology_(group_->devices())) facts.push_back(std::move(fact));
    return facts;
  }

  std::unique_ptr<Job> prepare(std::size_t rung, const Problem& problem,
                               const Tuning& tuning) override {
    check_carried(rung, problem);
    if (rung == m04) return best_of_both(problem, tuning);
    const Own* const special = own_of(rung);
    if (special != nullptr && special->prepare != nullptr)
      return bound(special->prepare, problem, tuning, Result::on_device);
    std::vector<Part> parts = parts_of(problem, resolve(rung, problem, tuning));
    const Selected selected(*group_);
    return special != nullptr ? special->combine(std::move(parts), problem)
                              : std::make_unique<HostAdds>(std::move(parts), problem);
  }

 protected:
  unsigned size() const override { return static_cast<unsigned>(members_.size()); }
  Backend& own() const override { return *members_.front(); }

 private:
  Problem part_on(unsigned member, const Problem& problem, unsigned shares) const {
    const void* const input = problem.n == 0 ? nullptr : group_->address_on(member, problem.input);
    return part_of(problem, input, member, shares);
  }
  std::vector<Part> parts_of(const Problem& problem, const Tuning& tuning) {
    std::vector<Part> parts;
    group_->on_each(
        [&](std::size_t i) {
          const Problem part = part_on(static_cast<unsigned>(i), problem, tuning.shares);
          parts.push_back({&members_[i]->device(), prepare_part(*members_[i], part, tuning)});
        },
        tuning.shares);
    return parts;
  }
  /// Prepares a rung with its own kernels. The first device is current afterwards, even on error.
  std::unique_ptr<Job> bound(decltype(Own::prepare) make, const Problem& problem,
                             const Tuning& tuning, Result where) {
    const unsigned count = shares(tuning);
    std::vector<Side> sides;
    for (unsigned i = 0; i < count; ++i) {
      const Problem part = part_on(i, problem, count);
      sides.push_back({&members_[i]->device(), part.input, part.n});
    }
    const Selected selected(*group_);
    return make(sides, problem, where);
  }
  /// m04: m02's kernel for small shares with peer access, else m00.
  std::unique_ptr<Job> best_of_both(const Problem& problem, const Tuning& tuning) {
    const std::size_t bytes = ladder::facts(problem.type).bytes;
    const Own* const peers = own_of(m02);
    if (peers->carries(problem.type, problem.operation) &&
        by_peer_writes(problem.n, bytes, shares(tuning))) {
      try {
        return bound(peers->prepare, problem, tuning, Result::told);
      } catch (const NotPossible&) {
        // No peer access.
      }
    }
    return std::make_unique<HostAdds>(parts_of(problem, resolve(m00, problem, tuning)), problem);
  }
  const Own* own_of(std::size_t rung) const {
    const auto found = std::ranges::find(own_, rungs()[rung].rung.id, &Own::id);
    return found == own_.end() ? nullptr : &*found;
  }

  Make make_;
  std::vector<Own> own_;
  Topology topology_;
  std::vector<std::unique_ptr<Backend>> members_;  ///< one per share, open on its device
  std::vector<int> numbers_;                       ///< device numbers
  std::unique_ptr<DeviceGroup> group_;
};

}  // namespace

std::unique_ptr<Backend> in_one_process(std::vector<std::unique_ptr<Backend>> (*make)(),
                                        std::vector<Own> own, Topology topology) {
  return std::make_unique<OneProcess>(make, std::move(own), topology);
}

}  // namespace ladder::several
