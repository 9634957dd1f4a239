#include <algorithm>
#include <map>
#include <random>
#include <thread>

#include "bench/run/study.hpp"
#include "bench/text.hpp"
#include "common/size_text.hpp"

namespace ladder::bench {
namespace {

/// Where things come to lie in this process, by a seed; with 0 they lie where the runtime puts
/// them.
class Scatter {
 public:
  explicit Scatter(std::uint64_t seed) : on_(seed != 0), random_(seed) {}
  /// Bytes that an input begins behind the start of its buffer: any place within 2 MiB, which is as
  /// much as the largest page, in steps that keep each alignment that a buffer has by itself.
  std::size_t shift() { return on_ ? 256 * (random_() % 8192) : 0; }
  /// Takes a piece of the device's memory, so that scratch which grows from here on lies elsewhere.
  void pad(Device& device, Results& results) {
    if (on_) results.pads.push_back(device.allocate(256 * (1 + random_() % 64)));
  }

 private:
  bool on_;
  std::mt19937_64 random_;
};

/// What the measurements of one input share.
struct Shared {
  ResidentInput* input = nullptr;
  ResidentInput* other = nullptr;    ///< as much other data, where a measurement needs it
  std::vector<std::size_t> sizes{};  ///< ascending
  std::map<Operation, std::vector<Reference>> references{};

  const Reference& reference(const Measurement& m) const {
    const auto which = std::ranges::lower_bound(sizes, m.n) - sizes.begin();
    return references.at(m.operation)[static_cast<std::size_t>(which)];
  }
};

/// A result of zero would let a rung pass that returns nothing: the first seed is taken that has
/// none.
void find_references(Elements& elements, Shared& shared) {
  const unsigned threads = std::max(1u, std::thread::hardware_concurrency());
  for (bool zero = true; zero;) {
    zero = false;
    for (auto& [operation, found] : shared.references) {
      found = references(elements, operation, shared.sizes, threads);
      for (const auto& reference : found) zero |= reference.n > 0 && reference.value.number() == 0;
    }
    if (elements.recipe.data != Data::exact) return;
    if (zero) ++elements.recipe.seed;
  }
}

Shared share(const Selection& selection, const std::vector<const Measurement*>& group,
             std::size_t shift, Progress& progress, Results& results) {
  Shared shared;
  for (const auto* m : group) {
    shared.sizes.push_back(m->n);
    shared.references[m->operation];
  }
  std::ranges::sort(shared.sizes);
  shared.sizes.erase(std::unique(shared.sizes.begin(), shared.sizes.end()), shared.sizes.end());
  const auto& first = *group.front();
  const std::size_t most = shared.sizes.back();
  progress.stage(concat("data and references: ", facts(first.type).name, " up to ",
                        size_text(effective_bytes(most, first.type))));

  const void* file = first.data == Data::file ? results.plan.files.at(first.type).data() : nullptr;
  Elements elements{first.type, {first.data, first.operation, selection.seed}, file};
  find_references(elements, shared);
  results.inputs.push_back(std::make_unique<ResidentInput>(
      first.device(), first.type, elements.recipe, most, shift, file, !selection.profile));
  shared.input = results.inputs.back().get();
  const auto is_twin = [](const Measurement* m) { return m->cache == Cache::cold_data; };
  if (std::ranges::any_of(group, is_twin)) {
    results.inputs.push_back(std::make_unique<ResidentInput>(
        first.device(), first.type, elements.recipe, most, shift, file, !selection.profile));
    shared.other = results.inputs.back().get();
  }
  return shared;
}

/// Somebody else may have taken memory since the plan was made: the largest sizes are left out
/// until the input can be had.
Shared share_what_fits(const Selection& selection, std::vector<const Measurement*> group,
                       std::size_t shift, Progress& progress, Results& results) {
  while (!group.empty()) {
    const auto inputs = results.inputs.size();
    try {
      return share(selection, group, shift, progress, results);
    } catch (const NotPossible& reason) {
      results.inputs.resize(inputs);  // of two the first may have been had
      const std::size_t most = (*std::ranges::max_element(group, {}, &Measurement::n))->n;
      std::erase_if(group, [&](const Measurement* m) {
        if (m->n == most) results.skipped.push_back({m->name(), reason.what()});
        return m->n == most;
      });
    }
  }
  return {};
}

Row make_row(const Measurement& m, const Shared& shared) {
  Row row;
  row.measurement = m;
  row.input = shared.input;
  row.reference = shared.reference(m);
  row.planted = m.n;
  if (m.place && m.n > 0) {
    const auto& recipe = shared.input->recipe();
    row.planted = index_of(*m.place, m.n, m.tuning.block, recipe.seed);
    row.reference = with_planted(row.reference, m.type, recipe, row.planted);
  }
  row.job = m.backend->prepare(m.rung, {shared.input->data(), m.n, m.type, m.operation, nullptr},
                               m.tuning);
  if (m.cache == Cache::cold_data) {
    const Problem other{shared.other->data(), m.n, m.type, m.operation, nullptr};
    row.warming = {m.device().floor(Floor::launch), m.backend->prepare(m.rung, other, m.tuning)};
  }
  row.vacuous = check(row.reference.value, row.reference, rounds(m.type, m.operation, m.data),
                      row.job->footprint().depth())
                    .vacuous;
  return row;
}

}  // namespace

void make_rows(const Selection& selection, std::uint64_t places, Progress& progress,
               Results& results) {
  Scatter scatter(places);
  const auto inputs = groups(results.plan.measurements, share_input);
  std::vector<Shared> shared;
  for (const auto& group : inputs)
    shared.push_back(share_what_fits(selection, group, scatter.shift(), progress, results));
  for (const auto& m : results.plan.measurements) {
    const auto mine = std::ranges::find_if(
        inputs, [&](const auto& group) { return share_input(*group.front(), m); });
    const auto& its = shared[static_cast<std::size_t>(mine - inputs.begin())];
    if (its.sizes.empty() || m.n > its.sizes.back()) continue;  // skipped already
    try {
      scatter.pad(m.device(), results);
      results.rows.push_back(make_row(m, its));
    } catch (const NotPossible& reason) {
      results.skipped.push_back({m.name(), reason.what()});
    }
  }
}

}  // namespace ladder::bench
