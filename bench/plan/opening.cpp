// Which backends and devices of this build a selection measures.

#include <algorithm>
#include <utility>

#include "bench/cli/selection.hpp"
#include "bench/plan/plan.hpp"
#include "bench/text.hpp"

namespace ladder::bench {
namespace {

using Names = std::vector<std::string>;  // of all backends of this build

void check_name(const Names& names, const char* option, const std::string& name) {
  if (std::ranges::find(names, name) == names.end()) {
    throw UsageError(
        concat(option, ": '", name, "' is not in this build; choose from ", join(names)));
  }
}

/// Opens a backend. Returns why it cannot be measured here, or nullopt. `of_ranks`: several MPI
/// ranks execute the plan.
std::optional<std::string> problem_of(Backend& backend, const Selection& selection, bool of_ranks) {
  if (of_ranks && backend.ranks() == nullptr)
    return concat("is of one process: start it without mpirun, or take mpi/", backend.name());
  if (auto problem = backend.open_on(selection.devices); problem || !selection.energy)
    return problem;
  try {
    backend.device().energy_counter();
    return std::nullopt;
  } catch (const NotPossible& reason) {
    return concat("--energy: ", reason.what());
  }
}

/// Adds an open backend and its device to the plan.
void add(Backend& backend, const Selection& selection, Plan& plan) {
  auto& device = backend.device();
  plan.backends.push_back(&backend);
  auto known = std::ranges::find(plan.devices, &device, &PlannedDevice::device);
  if (known == plan.devices.end()) {
    const auto& facts = device.facts();
    known = plan.devices.insert(known, {&device, {}, {facts.peak_gbs, facts.peak_source}});
  }
  known->backends.push_back(&backend);
  for (const auto& given : selection.peaks) {
    const bool meant =
        given.backend.empty() ? device.facts().kind == "cpu" : given.backend == backend.name();
    if (meant) known->peak = {given.gbs, "given by --peak-gbs"};
  }
}

/// Refuses other devices than the first, and a peak, where no backend would use them.
void check_devices(const Names& names, const Selection& selection, const Plan& plan) {
  const auto& devices = selection.devices;
  const auto is_gpu = [](const PlannedDevice& one) { return one.device->facts().kind == "gpu"; };
  if (std::ranges::all_of(plan.devices, is_gpu) &&
      std::ranges::any_of(selection.peaks, [](const auto& one) { return one.backend.empty(); }))
    throw UsageError(concat("--peak-gbs: a number alone is a CPU's, and none is measured; say ",
                            plan.backends.front()->name(), ":4800"));
  if (devices != std::vector{0} && std::ranges::none_of(plan.devices, is_gpu))
    throw UsageError(concat("--devices: names GPUs, and none is measured",
                            plan.notes.empty() ? "" : "\n  ", join(plan.notes, "\n  ")));
  const auto takes_several = [&](const std::string& name) {
    return selection.asks_for(name) && (name.starts_with("several/") || name.starts_with("mpi/"));
  };
  if ((devices.size() > 1 || devices.front() == every_device) &&
      std::ranges::none_of(names, takes_several))
    throw UsageError(
        "--devices: a backend here takes one; those of the presets nvidia-multi and amd-multi "
        "take several");
}

}  // namespace

void open_backends(const Selection& selection, std::span<const std::unique_ptr<Backend>> backends,
                   Plan& plan) {
  Names names;
  for (const auto& backend : backends) names.emplace_back(backend->name());
  for (const auto& wanted : selection.backends) check_name(names, "--backends", wanted);
  for (const auto& given : selection.peaks) {
    if (!given.backend.empty()) check_name(names, "--peak-gbs", given.backend);
  }
  const bool of_ranks = ranks_of(backends) != nullptr;
  for (const auto& backend : backends) {
    if (!selection.asks_for(backend->name())) continue;
    if (const auto problem = problem_of(*backend, selection, of_ranks)) {
      const auto note = concat(backend->name(), ": ", *problem);
      if (selection.names(backend->name())) throw NotPossible(note);
      plan.notes.push_back(note);
    } else {
      add(*backend, selection, plan);
    }
  }
  if (plan.backends.empty())
    throw NotPossible("no backend of this build can run here:\n  " + join(plan.notes, "\n  "));
  check_devices(names, selection, plan);
}

}  // namespace ladder::bench
