#include "several/local/devices.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <numeric>
#include <ranges>
#include <string>
#include <utility>
#include <vector>

#include "common/size_text.hpp"
#include "several/backend.hpp"
#include "several/local/choice.hpp"
#include "several/shares.hpp"

namespace ladder::several {
namespace {

/// The devices of this process, by the numbers that the user gave. A number may come twice: then
/// the device has several shares.
class Local final : public Crew {
 public:
  Local(std::vector<std::unique_ptr<Backend>> (*make)(), std::span<const int> devices)
      : devices_(devices.begin(), devices.end()) {
    for (unsigned i = 0; i < devices_.size(); ++i) members_.emplace_back(i, make());
  }
  unsigned size() const override { return static_cast<unsigned>(members_.size()); }
  std::string_view kind() const override { return "device"; }
  Member& own() override { return members_.front(); }
  Member& member(std::size_t which) { return members_[which]; }

  std::vector<Answer> ask(Command command, std::span<const std::byte> payload) override {
    std::vector<Answer> answers;
    for (Member& member : members_) {
      if (command.verb == Verb::open)
        command.index = static_cast<std::uint64_t>(devices_[member.index()]);
      answers.push_back(member.carry_out(command, payload));
    }
    // A backend on one device, which this process may measure too, takes the first for its own.
    if (command.verb != Verb::open || answers.front().outcome == Outcome::done)
      own().backend(command.backend).device().select();
    return answers;
  }

 private:
  std::vector<int> devices_;
  std::vector<Member> members_;
};

/// m00: every device reduces its share, the host adds.
class HostAdds final : public Bound {
 public:
  HostAdds(Spanning& device, Local& crew, const Command& prepared, Footprint footprint)
      : Bound(device, prepared, std::move(footprint)), operation_(prepared.operation) {
    for (unsigned i = 0; i < crew.size(); ++i) {
      Part& part = crew.member(i).part(prepared.handle);
      if (part.job == nullptr) continue;
      Device& mine = crew.member(i).backend(prepared.backend).device();
      // Shares of one device follow one another: they leave their results in one place.
      const auto round = static_cast<std::size_t>(
          std::ranges::count(sides_, &mine, &std::pair<Device*, Job*>::first));
      sides_.emplace_back(&mine, part.job.get());
      if (rounds_.size() == round) rounds_.emplace_back();
      rounds_[round].push_back(sides_.back());
    }
  }
  void run() override {
    bool first = true;
    Value value;
    for (const auto& round : rounds_) {
      for (const auto& [mine, job] : round) {
        mine->select();
        job->run();
      }
      for (const auto& [mine, job] : round) {
        mine->select();
        job->fetch();
        value = first ? job->result() : combined(value, job->result(), operation_);
        first = false;
      }
    }
    sides_.front().first->select();
    leave(value);
  }

 private:
  using Sides = std::vector<std::pair<Device*, Job*>>;
  Operation operation_;
  Sides sides_;
  std::vector<Sides> rounds_;
};

/// Devices of one process: their streams are held and let go together.
class Together final : public Spanning {
 public:
  Together(const std::shared_ptr<Local>& crew, std::uint32_t backend)
      : Spanning(crew, backend), local_(*crew) {
    for (unsigned i = 0; i < local_.size(); ++i) {
      Device* const one = &local_.member(i).backend(backend).device();
      if (std::ranges::find(devices_, one) == devices_.end()) devices_.push_back(one);
    }
  }

  bool has_timer() const override { return devices_.front()->has_timer(); }
  /// The first one's, as on one device, and what is told of each of the others behind its name.
  std::vector<Fact> conditions() override {
    std::vector<Fact> all = devices_.front()->conditions();
    for (Device* const other : devices_ | std::views::drop(1)) {
      other->select();
      for (Fact& fact : other->conditions()) {
        fact.name = std::string(other->name()) + " " + fact.name;
        all.push_back(std::move(fact));
      }
    }
    devices_.front()->select();
    return all;
  }
  /// Once all have nothing left to do, or each would start when its own eviction has ended.
  void hold() override {
    if (devices_.size() > 1) each(&Device::synchronize);
    each(&Device::hold);
  }
  void mark_start() override { each(&Device::mark_start); }
  void mark_stop() override { each(&Device::mark_stop); }
  bool release() override {
    const auto first = std::chrono::steady_clock::now();
    for (Device* const one : devices_) one->let_go();
    skew_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - first).count();
    bool held = true;
    for (Device* const one : devices_) {
      one->select();
      held &= one->release();
    }
    devices_.front()->select();
    return held;
  }
  /// A store for each device, and the reading of the clock itself. How long after its store a
  /// device sees it, no clock of the host tells.
  std::optional<double> release_skew() const override {
    if (devices_.size() < 2) return std::nullopt;
    return skew_;
  }
  /// The longest of the devices' own times.
  double elapsed() override {
    double longest = 0;
    for (Device* const one : devices_) {
      one->select();
      longest = std::max(longest, one->elapsed());
    }
    devices_.front()->select();
    return longest;
  }

  std::span<Device* const> devices() const { return devices_; }
  std::vector<Side> sides(const Command& about, const Problem& problem, unsigned shares) {
    std::vector<Side> sides;
    const std::size_t bytes = ladder::facts(problem.type).bytes;
    for (unsigned i = 0; i < shares; ++i) {
      const Share share = share_of(problem.n, i, shares);
      const std::byte* const input = problem.n == 0 ? nullptr
                                                    : local_.member(i).buffer(about.buffer).data() +
                                                          about.at + share.first * bytes;
      sides.push_back({&local_.member(i).backend(backend()).device(), input, share.count});
    }
    return sides;
  }

 protected:
  std::unique_ptr<Job> bound(const Command& prepared, Footprint footprint) override {
    return prepared.verb == Verb::prepare
               ? std::unique_ptr<Job>(
                     std::make_unique<HostAdds>(*this, local_, prepared, std::move(footprint)))
               : std::make_unique<Each>(*this, local_, prepared, std::move(footprint));
  }

 private:
  /// A job of each device's own, all at once: the aggregate ceiling, a floor.
  class Each final : public Bound {
   public:
    Each(Spanning& device, Local& crew, const Command& prepared, Footprint footprint)
        : Bound(device, prepared, std::move(footprint)),
          crew_(crew),
          backend_(prepared.backend),
          handle_(prepared.handle) {}
    void run() override { on_each(&Job::run); }
    void fetch() override { on_each(&Job::fetch); }

   private:
    void on_each(void (Job::*act)()) {
      for (unsigned i = 0; i < crew_.size(); ++i) {
        crew_.member(i).backend(backend_).device().select();
        if (const auto& job = crew_.member(i).part(handle_).job) (job.get()->*act)();
      }
      crew_.own().backend(backend_).device().select();
    }

    Local& crew_;
    std::uint32_t backend_;
    std::uint64_t handle_;
  };

  void each(void (Device::*act)()) {
    for (Device* const one : devices_) {
      one->select();
      (one->*act)();
    }
    devices_.front()->select();
  }

  Local& local_;
  std::vector<Device*> devices_;  ///< each once
  double skew_ = 0;               ///< of the last release
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

  OneProcess(Make make, std::vector<Own> own, Topology topology, std::unique_ptr<Backend> each)
      : SeveralBackend("several/" + std::string(each->name()), *each, 0,
                       {"", not_written, not_written, over_mpi, no_choice}),
        make_(make),
        each_(std::move(each)),
        own_(std::move(own)),
        topology_(topology) {
    for (std::size_t i = 0; i < rungs().size(); ++i) {
      if (own_of(i) == nullptr) continue;
      infos()[i].rung = several_ladder[i];  // its kernels are its own
      infos()[i].why_absent = {};
      infos()[i].blocks = false;
    }
    if (own_of(m02) != nullptr) infos()[m04].why_absent = {};  // it blocks where m00 does
  }

  bool carries(std::size_t rung, Type type, Operation operation) const override {
    if (const Own* const own = own_of(rung)) return own->carries(type, operation);
    return SeveralBackend::carries(rung, type, operation);
  }

  std::optional<std::string> open(int device) override { return open_on({&device, 1}); }
  std::optional<std::string> open_on(std::span<const int> devices) override {
    if (devices.front() == every_device) {
      if (auto problem = each_->open_on(devices)) return problem;
      std::vector<int> numbers(static_cast<std::size_t>(each_->device().facts().seen));
      std::iota(numbers.begin(), numbers.end(), 0);
      if (numbers.size() < 2) return "runs on several devices, and one alone is seen here";
      return open_on(numbers);
    }
    if (spanning() != nullptr && std::ranges::equal(devices, numbers_)) return std::nullopt;
    if (devices.size() < 2) return "runs on several devices: name them, say --devices=0,1";
    auto crew = std::make_shared<Local>(make_, devices);
    try {
      crew->all({.verb = Verb::open, .backend = which()});
      together_ = std::make_shared<Together>(crew, which());
      stand_on(together_);
    } catch (const std::exception& error) {
      return error.what();
    }
    numbers_.assign(devices.begin(), devices.end());
    return std::nullopt;
  }

  std::vector<Fact> facts() const override {
    std::vector<Fact> facts = SeveralBackend::facts();
    if (own_of(m02) != nullptr) {
      facts.push_back({"m04 chooses",
                       "m02's kernel for shares below " + size_text(too_large_for_peer_writes) +
                           " where the devices reach each other, its result written into the "
                           "host's memory; else m00",
                       "several/local/choice.hpp"});
    }
    if (topology_ == nullptr) return facts;
    for (Fact& fact : topology_(together_->devices())) facts.push_back(std::move(fact));
    return facts;
  }

  std::unique_ptr<Job> prepare(std::size_t rung, const Problem& problem,
                               const Tuning& tuning) override {
    check_carried(rung, problem);
    if (rung == m04) return best_of_both(problem, tuning);
    const Own* const own = own_of(rung);
    if (own == nullptr) return SeveralBackend::prepare(rung, problem, tuning);
    return bound(own->prepare, problem, tuning);
  }

 private:
  /// A rung of a model's own words. Whatever happens, the first device is the current one then.
  std::unique_ptr<Job> bound(decltype(Own::prepare) own, const Problem& problem,
                             const Tuning& tuning) {
    Command about{};
    if (problem.n > 0) about = together_->about(Verb::prepare, problem.input);
    try {
      return own(together_->sides(about, problem, together_->shares(tuning)), problem);
    } catch (...) {
      together_->devices().front()->select();
      throw;
    }
  }
  /// m04.
  std::unique_ptr<Job> best_of_both(const Problem& problem, const Tuning& tuning) {
    const std::size_t bytes = ladder::facts(problem.type).bytes;
    const Own* const peers = own_of(m02);
    if (peers->prepare_told != nullptr && peers->carries(problem.type, problem.operation) &&
        by_peer_writes(problem.n, bytes, together_->shares(tuning))) {
      try {
        return bound(peers->prepare_told, problem, tuning);
      } catch (const NotPossible&) {
        // The devices do not reach each other.
      }
    }
    return SeveralBackend::prepare(m00, problem, tuning);
  }
  const Own* own_of(std::size_t rung) const {
    const auto found = std::ranges::find(own_, rungs()[rung].rung.id, &Own::id);
    return found == own_.end() ? nullptr : &*found;
  }

  Make make_;
  std::unique_ptr<Backend> each_;
  std::vector<Own> own_;
  Topology topology_;
  std::vector<int> numbers_;
  std::shared_ptr<Together> together_;
};

}  // namespace

std::unique_ptr<Backend> in_one_process(std::vector<std::unique_ptr<Backend>> (*make)(),
                                        std::vector<Own> own, Topology topology) {
  return std::make_unique<OneProcess>(make, std::move(own), topology, std::move(make().front()));
}

}  // namespace ladder::several
