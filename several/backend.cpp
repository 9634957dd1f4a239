#include "several/backend.hpp"

#include <algorithm>
#include <stdexcept>

namespace ladder::several {
namespace {

/// r30 of a device's ladder, c13 of a CPU's.
std::size_t tuned_of(const Backend& backend) {
  const auto rungs = backend.rungs();
  const auto found =
      std::ranges::find_if(rungs, [](const RungInfo& info) { return info.rung.slug == "tuned"; });
  if (found == rungs.end())
    throw std::logic_error(std::string(backend.name()) + " has no tuned rung");
  return static_cast<std::size_t>(found - rungs.begin());
}

}  // namespace

SeveralBackend::SeveralBackend(std::string name, const Backend& each, std::uint32_t which,
                               const Absent& absent)
    : name_(std::move(name)), each_(each), which_(which), tuned_(tuned_of(each)) {
  for (std::size_t i = 0; i < several_ladder.size(); ++i) {
    const RungInfo& of_a_share = each.rungs()[tuned_];
    infos_.push_back({.rung = several_ladder[i],
                      .why_absent = absent[i],
                      .blocks = true,
                      .need = of_a_share.need});
    infos_.back().rung.axes |= of_a_share.rung.axes & workers_axis;
  }
}

std::vector<Fact> SeveralBackend::facts() const {
  std::vector<Fact> facts = device_->crew().own().backend(which_).facts();
  facts.push_back({"rung of a share", full_name(each_.rungs()[tuned_].rung), "common/ladder.hpp"});
  return facts;
}

Tuning SeveralBackend::resolve(std::size_t rung, const Problem& problem,
                               const Tuning& tuning) const {
  Tuning resolved{.shares = device_->shares(tuning)};
  if ((infos_[rung].rung.axes & workers_axis) == 0) return resolved;
  // As many on each, since the shares are even: what all of them can have.
  const unsigned most = device_->facts().max_workers;
  if (tuning.workers > most) {
    throw NotPossible(std::to_string(tuning.workers) + " workers: not each " +
                      std::string(device_->crew().kind()) + " has more than " +
                      std::to_string(most) + " hardware threads to use");
  }
  const Backend& own = device_->crew().own().backend(which_);
  resolved.workers =
      std::min(most, own.resolve(tuned_, problem, {.workers = tuning.workers}).workers);
  return resolved;
}

void SeveralBackend::check_carried(std::size_t rung, const Problem& problem) const {
  const RungInfo& info = infos_[rung];
  if (!info.why_absent.empty())
    throw NotPossible(std::string(info.rung.id) + " is absent: " + std::string(info.why_absent));
  if (!carries(rung, problem.type, problem.operation)) {
    throw NotPossible(std::string(info.rung.id) + " does not carry " +
                      std::string(ladder::facts(problem.type).name) + " " +
                      std::string(ladder::facts(problem.operation).name));
  }
}

std::unique_ptr<Job> SeveralBackend::prepare(std::size_t rung, const Problem& problem,
                                             const Tuning& tuning) {
  check_carried(rung, problem);
  Command command{.verb = Verb::prepare};
  if (problem.n > 0) command = device_->about(Verb::prepare, problem.input);
  command.backend = which_;  // the device may be that of another backend, which has its memory
  command.rung = tuned_;
  command.type = problem.type;
  command.operation = problem.operation;
  command.count = problem.n;
  command.tuning = resolve(rung, problem, tuning);
  return device_->prepare(command);
}

}  // namespace ladder::several
