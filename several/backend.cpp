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
    infos_.push_back({.rung = several_ladder[i],
                      .why_absent = absent[i],
                      .blocks = true,
                      .need = each.rungs()[tuned_].need});
  }
}

std::vector<Fact> SeveralBackend::facts() const {
  std::vector<Fact> facts = device_->crew().own().backend(which_).facts();
  facts.push_back({"rung of a share", full_name(each_.rungs()[tuned_].rung), "common/ladder.hpp"});
  return facts;
}

Tuning SeveralBackend::resolve(std::size_t, const Problem&, const Tuning& tuning) const {
  return {.shares = device_->shares(tuning)};
}

std::unique_ptr<Job> SeveralBackend::prepare(std::size_t rung, const Problem& problem,
                                             const Tuning& tuning) {
  const RungInfo& info = infos_[rung];
  if (!info.why_absent.empty())
    throw NotPossible(std::string(info.rung.id) + " is absent: " + std::string(info.why_absent));
  if (!carries(rung, problem.type, problem.operation)) {
    throw NotPossible(std::string(info.rung.id) + " does not carry " +
                      std::string(ladder::facts(problem.type).name) + " " +
                      std::string(ladder::facts(problem.operation).name));
  }
  Command command{.verb = Verb::prepare, .backend = which_};
  if (problem.n > 0) command = device_->about(Verb::prepare, problem.input);
  command.rung = tuned_;
  command.type = problem.type;
  command.operation = problem.operation;
  command.count = problem.n;
  command.tuning = {.shares = device_->shares(tuning)};
  return device_->prepare(command);
}

}  // namespace ladder::several
