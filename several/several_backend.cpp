#include "several/several_backend.hpp"

#include <algorithm>
#include <stdexcept>

#include "several/shares.hpp"

namespace ladder::several {
namespace {

/// Index of the tuned rung: r30 on a GPU, c13 on a CPU.
std::size_t tuned_of(const Backend& backend) {
  const auto rungs = backend.rungs();
  const auto found =
      std::ranges::find_if(rungs, [](const RungInfo& info) { return info.rung.slug == "tuned"; });
  if (found == rungs.end())
    throw std::logic_error(std::string(backend.name()) + " has no tuned rung");
  return static_cast<std::size_t>(found - rungs.begin());
}

}  // namespace

SeveralBackend::SeveralBackend(std::string_view family, std::string_view member,
                               std::unique_ptr<Backend> each, const Absent& absent)
    : name_(std::string(family) + "/" + std::string(each->name())),
      member_(member),
      each_(std::move(each)),
      tuned_(tuned_of(*each_)) {
  const RungInfo& of_a_share = each_->rungs()[tuned_];
  for (std::size_t i = 0; i < several_ladder.size(); ++i) {
    infos_.push_back({.rung = several_ladder[i],
                      .why_absent = absent[i],
                      .blocks = true,
                      .need = of_a_share.need});
    infos_.back().rung.axes |= of_a_share.rung.axes & workers_axis;
  }
}

std::vector<Fact> SeveralBackend::facts() const {
  std::vector<Fact> facts = own().facts();
  facts.push_back({"rung of a share", full_name(each_->rungs()[tuned_].rung), "common/ladder.hpp"});
  return facts;
}

unsigned SeveralBackend::shares(const Tuning& tuning) const {
  const unsigned most = size();
  if (tuning.shares > most) {
    throw NotPossible(std::to_string(tuning.shares) + " shares: there " +
                      (most == 1 ? "is 1 " : "are " + std::to_string(most) + " ") + member_ +
                      (most == 1 ? "" : "s"));
  }
  return tuning.shares == 0 ? most : tuning.shares;
}

Tuning SeveralBackend::resolve(std::size_t rung, const Problem& problem,
                               const Tuning& tuning) const {
  Tuning resolved{.shares = shares(tuning)};
  if ((infos_[rung].rung.axes & workers_axis) == 0) return resolved;
  // The same number on each, since shares are even: at most the smallest maximum.
  const unsigned most = device().facts().max_workers;
  if (tuning.workers > most) {
    throw NotPossible(std::to_string(tuning.workers) + " workers: not each " + member_ +
                      " has more than " + std::to_string(most) + " hardware threads to use");
  }
  resolved.workers =
      std::min(most, own().resolve(tuned_, problem, {.workers = tuning.workers}).workers);
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
  if (const auto other = not_taken(info.rung, problem.groups.by); !other.empty())
    throw NotPossible(other);
}

Problem SeveralBackend::part_of(const Problem& problem, const void* input, unsigned index,
                                unsigned of) {
  const Share share = share_of(problem.n, index, of);
  const auto* const from = static_cast<const std::byte*>(input);
  const std::size_t bytes = ladder::facts(problem.type).bytes;
  return {from == nullptr ? nullptr : from + share.first * bytes, share.count, problem.type,
          problem.operation, nullptr};
}

std::unique_ptr<Job> SeveralBackend::prepare_part(Backend& backend, const Problem& part,
                                                  const Tuning& tuning) const {
  return backend.prepare(tuned_, part, backend.resolve(tuned_, part, {.workers = tuning.workers}));
}

}  // namespace ladder::several
