#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <thread>

#include "bench/run/study.hpp"
#include "bench/text.hpp"
#include "common/size_text.hpp"

namespace ladder::bench {
namespace {

/// Randomizes memory placement in this process by a seed; 0 keeps the runtime's placement.
class Scatter {
 public:
  explicit Scatter(std::uint64_t seed) : on_(seed != 0), random_(seed) {}
  /// Offset of an input from its buffer's start in bytes: random within 2 MiB, the largest page
  /// size, in steps that keep the buffer's alignment.
  std::size_t shift() { return on_ ? 256 * (random_() % 8192) : 0; }
  /// Allocates padding on the device, so that scratch allocated later moves.
  void pad(Device& device, Results& results) {
    if (on_) results.pads.push_back(device.allocate(256 * (1 + random_() % 64)));
  }

 private:
  bool on_;
  std::mt19937_64 random_;
};

/// Data shared by the measurements of one shape and n.
struct Grouped {
  std::unique_ptr<Buffer> offsets;  ///< on the device; null without segments
  std::map<Operation, std::shared_ptr<GroupReferences>> references{};
};

/// Data shared by the measurements of one input.
struct Shared {
  std::map<std::pair<std::string, std::size_t>, Grouped> groups{};  ///< by shape and n
  std::unique_ptr<ResidentInput> input;
  std::map<std::pair<Operation, std::size_t>, Reference> references{};  ///< by n
};

/// Computes all references. Exact data: takes the first seed without a zero result, which a rung
/// that returns nothing would pass. With MPI only rank 0 has the references.
void find_references(const std::vector<const Measurement*>& group, Ranks* ranks, Elements& elements,
                     Shared& shared) {
  if (!leads(ranks)) {
    elements.recipe.seed = ranks->from_first(0);
    return;
  }
  std::set<Operation> operations;
  std::set<std::size_t> all;
  for (const auto* m : group) {
    operations.insert(m->operation);
    if (m->groups.by == Grouping::whole) all.insert(m->n);
  }
  const std::vector<std::size_t> sizes(all.begin(), all.end());
  const unsigned threads = std::max(1u, std::thread::hardware_concurrency());
  for (;; ++elements.recipe.seed) {
    bool zero = false;
    for (const auto operation : operations) {
      const auto found = references(elements, operation, sizes, threads);
      for (std::size_t i = 0; i < sizes.size(); ++i) {
        shared.references[{operation, sizes[i]}] = found[i];
        zero |= found[i].n > 0 && found[i].value.number() == 0;
      }
    }
    if (!zero || elements.recipe.data != Data::exact) break;
  }
  if (ranks != nullptr) ranks->from_first(elements.recipe.seed);
}

/// Uploads the offsets of segments and computes the references of all groups.
void find_group_references(const std::vector<const Measurement*>& group, const Elements& elements,
                           Shared& shared) {
  const unsigned threads = std::max(1u, std::thread::hardware_concurrency());
  for (const auto* m : group) {
    if (m->groups.by == Grouping::whole) continue;
    auto& grouped = shared.groups[{m->shape.text, m->n}];
    if (!m->offsets.empty() && grouped.offsets == nullptr) {
      grouped.offsets = m->device().allocate(m->offsets.size_bytes());
      m->device().upload(grouped.offsets->data(), m->offsets.data(), m->offsets.size_bytes());
    }
    auto& references = grouped.references[m->operation];
    if (references != nullptr) continue;
    references = std::make_shared<GroupReferences>(
        group_references(elements, m->operation, m->groups, m->offsets, m->rounds(), threads));
  }
}

/// Plants an element in the first, the last and a random group, unless empty, each at a random
/// position, and updates the references.
void plant_in_groups(Row& row) {
  const auto& m = row.measurement;
  const auto& recipe = row.input->recipe();
  const std::size_t count = m.groups.count;
  auto planted = std::make_shared<GroupReferences>(*row.group_references);
  for (const std::size_t g :
       std::set<std::size_t>{0, count - 1, index_of(Place::random, count, 0, recipe.seed)}) {
    const auto& offsets = m.offsets;
    const std::size_t length =
        offsets.empty() ? m.groups.length : static_cast<std::size_t>(offsets[g + 1] - offsets[g]);
    if (length == 0) continue;
    const std::size_t i = index_of(Place::random, length, 0, recipe.seed);
    const std::size_t at =
        offsets.empty() ? m.groups.index(g, i) : static_cast<std::size_t>(offsets[g]) + i;
    row.planted.push_back(at);
    plant(*planted, g, recipe, m.type, at);
  }
  row.group_references = std::move(planted);
}

Shared share(const Selection& selection, const std::vector<const Measurement*>& group,
             std::size_t shift, Ranks* ranks, Progress& progress, const Plan& plan) {
  const auto& first = *group.front();
  const auto most = (*std::ranges::max_element(group, {}, &Measurement::extent))->extent();
  progress.stage(concat("data and references: ", facts(first.type).name, " up to ",
                        size_text(effective_bytes(most, first.type))));
  const void* file = first.data == Data::file ? plan.files.at(first.type).data() : nullptr;
  Elements elements{first.type, {first.data, first.operation, selection.seed}, file};
  Shared shared;
  find_references(group, ranks, elements, shared);
  find_group_references(group, elements, shared);
  shared.input = std::make_unique<ResidentInput>(first.device(), first.type, elements.recipe, most,
                                                 shift, file, !selection.profile);
  return shared;
}

Row make_row(const Measurement& m, const Shared& shared, bool checks) {
  Row row;
  row.measurement = m;
  row.input = shared.input.get();
  Problem problem = m.problem();
  problem.input = row.input->data();
  if (m.groups.by != Grouping::whole) {
    const auto& grouped = shared.groups.at({m.shape.text, m.n});
    row.group_references = grouped.references.at(m.operation);
    row.reference = row.group_references->at(0);
    if (m.plants() && m.n > 0) plant_in_groups(row);
    if (grouped.offsets != nullptr)
      problem.groups.offsets = reinterpret_cast<const std::int64_t*>(grouped.offsets->data());
  } else {
    if (checks) row.reference = shared.references.at({m.operation, m.n});
    if (m.plants() && m.n > 0) {
      const auto& recipe = row.input->recipe();
      row.planted = {index_of(Place::random, m.n, m.tuning.block, recipe.seed)};
      if (checks) row.reference = with_planted(row.reference, m.type, recipe, row.planted.front());
    }
  }
  row.job = m.backend->prepare(m.rung, problem, m.tuning);
  if (checks)
    row.vacuous =
        check(row.reference.value, row.reference, m.rounds(), row.job->footprint().depth()).vacuous;
  return row;
}

}  // namespace

void make_rows(const Selection& selection, std::uint64_t places, Progress& progress,
               Results& results, Ranks* ranks) {
  Scatter scatter(places);
  const auto inputs = groups(results.plan.measurements, share_input);
  std::vector<Shared> shared(inputs.size());
  std::map<const Measurement*, const Shared*> shared_by;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    shared[i] = share(selection, inputs[i], scatter.shift(), ranks, progress, results.plan);
    for (const auto* m : inputs[i]) shared_by[m] = &shared[i];
  }
  for (const auto& m : results.plan.measurements) {
    try {
      scatter.pad(m.device(), results);
      results.rows.push_back(make_row(m, *shared_by.at(&m), leads(ranks)));
    } catch (const NotPossible& reason) {
      results.left_out[reason.what()].insert(m.who());
    }
  }
  for (auto& one : shared) {
    if (one.input != nullptr) results.inputs.push_back(std::move(one.input));
    for (auto& [name, grouped] : one.groups)
      if (grouped.offsets != nullptr) results.pads.push_back(std::move(grouped.offsets));
  }
}

}  // namespace ladder::bench
