#include "common/device/host/machine.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <set>
#include <stdexcept>
#include <utility>

#include <hwloc.h>
#include <unistd.h>

#include "common/device/host/host_memory.hpp"
#include "common/device/host/process_limits.hpp"
#include "common/device/host/vectors.hpp"
#include "common/machine_id.hpp"

namespace ladder::host {
namespace {

using Topology = std::unique_ptr<hwloc_topology, decltype(&hwloc_topology_destroy)>;

Topology load_topology() {
  hwloc_topology_t topology = nullptr;
  if (hwloc_topology_init(&topology) != 0) throw std::runtime_error("hwloc cannot be started");
  Topology owner(topology, hwloc_topology_destroy);
  if (hwloc_topology_load(topology) != 0) {
    throw std::runtime_error("hwloc cannot read this machine's topology");
  }
  return owner;
}

/// Core kind of these hardware threads, from 0 for the slowest; 0 if unknown or if all are alike.
int kind_of(hwloc_topology_t topology, hwloc_const_cpuset_t cpus) {
#if HWLOC_API_VERSION >= 0x00020400
  return std::max(0, hwloc_cpukinds_get_by_cpuset(topology, cpus, 0));
#else
  (void)topology, (void)cpus;
  return 0;
#endif
}

/// Total size of the last-level caches that the usable CPUs reach.
std::size_t last_level_cache(hwloc_topology_t topology, const Places& places) {
  std::set<hwloc_obj_t> caches;
  for (const unsigned cpu : places.cpus) {
    hwloc_obj_t object = hwloc_get_pu_obj_by_os_index(topology, cpu);
    hwloc_obj_t last = nullptr;
    for (; object != nullptr; object = object->parent) {
      if (hwloc_obj_type_is_dcache(object->type) != 0) last = object;
    }
    if (last != nullptr) caches.insert(last);
  }
  std::size_t bytes = 0;
  for (const auto* cache : caches) bytes += cache->attr->cache.size;
  return bytes;
}

std::string first_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

/// The processor's name as reported by the kernel.
std::string model_of(hwloc_topology_t topology) {
  hwloc_obj_t holder = hwloc_get_obj_by_type(topology, HWLOC_OBJ_PACKAGE, 0);
  if (holder == nullptr) holder = hwloc_get_root_obj(topology);
  const char* const model = hwloc_obj_get_info_by_name(holder, "CPUModel");
  return model == nullptr ? "unknown processor" : model;
}

/// Size of each data cache level and the number of cores that share one: "L1 48 KiB a core, L3
/// 491520 KiB for 2 cores".
std::string caches_above(hwloc_topology_t topology, unsigned cpu) {
  std::string text;
  for (hwloc_obj_t object = hwloc_get_pu_obj_by_os_index(topology, cpu); object != nullptr;
       object = object->parent) {
    if (hwloc_obj_type_is_dcache(object->type) == 0) continue;
    const auto& cache = object->attr->cache;
    const int cores =
        hwloc_get_nbobjs_inside_cpuset_by_type(topology, object->cpuset, HWLOC_OBJ_CORE);
    text += (text.empty() ? "L" : ", L") + std::to_string(cache.depth) + " " +
            std::to_string(cache.size / 1024) + " KiB " +
            (cores <= 1 ? "a core" : "for " + std::to_string(cores) + " cores");
  }
  return text.empty() ? "unknown" : text;
}

}  // namespace

Places places_in(hwloc_topology_t topology, const Mask& usable) {
  struct Thread {
    int sibling;  // index among the usable threads of its core
    int kind;
    unsigned cpu;
  };
  std::vector<Thread> threads;
  Places places{{}, 0};
  for (hwloc_obj_t core = nullptr;
       (core = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_CORE, core)) != nullptr;) {
    int sibling = 0;
    for (int cpu = hwloc_bitmap_first(core->cpuset); cpu != -1;
         cpu = hwloc_bitmap_next(core->cpuset, cpu)) {
      const auto number = static_cast<unsigned>(cpu);
      if (!contains(usable, number)) continue;
      threads.push_back({sibling++, kind_of(topology, core->cpuset), number});
    }
    if (sibling > 0) ++places.cores;
  }
  if (threads.empty()) throw std::runtime_error("hwloc finds no core that this process may use");
  // First threads of the cores first; among these, the fastest kind first; else in topology order.
  std::ranges::stable_sort(threads, {},
                           [](const Thread& one) { return std::pair(one.sibling, -one.kind); });
  for (const Thread& one : threads) places.cpus.push_back(one.cpu);
  return places;
}

Machine find_machine() {
  if (const char* const targets = std::getenv("LADDER_CPU_TARGETS")) limit_vector_targets(targets);
  const Topology topology = load_topology();
  Machine machine;
  machine.places = places_in(topology.get(), usable_cpus());
  const Places& places = machine.places;
  const auto usable = static_cast<unsigned>(places.cpus.size());
  const ProcessLimits limits{
      .usable = usable,
      .cores = places.cores,
      .online = static_cast<unsigned>(sysconf(_SC_NPROCESSORS_ONLN)),
      .granted = granted_processors(),
      .requested = requested_workers(std::getenv("OMP_NUM_THREADS"), usable)};
  const Workers workers = limits.workers();
  machine.default_workers = workers.count;

  DeviceFacts& facts = machine.facts;
  facts.kind = "cpu";
  facts.name = model_of(topology.get());
  facts.id = machine_id();
  // The kernel reports no speed of memory modules; the firmware reports it to root only.
  facts.peak_source = "no file of the system tells a CPU's: --peak-gbs= gives it";
  facts.last_level_cache = last_level_cache(topology.get(), places);
  // Not from hwloc: a machine that got more memory at run time does not report its nodes.
  facts.memory_bytes = static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) *
                       static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  facts.units = places.cores;
  facts.max_workers = usable;
  facts.part = limits.words();
  if (!may_pin())
    facts.part += std::string(facts.part.empty() ? "" : ", ") + "workers that may not be pinned";

  const auto add = [&](std::string name, std::string value, std::string source) {
    facts.more.push_back({std::move(name), std::move(value), std::move(source)});
  };
  const std::string by_hwloc = "hwloc " HWLOC_VERSION;
  add("hardware threads", std::to_string(usable),
      by_hwloc + ", within this process's affinity mask");
  add("default workers", std::to_string(workers.count), workers.why);
  add("OpenMP's variables", openmp_environment(), "the environment; places are this program's");
  const char* waits = std::getenv("OMP_WAIT_POLICY");
  add("wait policy", waits == nullptr ? "the runtime's" : waits, "OMP_WAIT_POLICY");
  add("caches", caches_above(topology.get(), places.cpus.front()),
      by_hwloc + ", of the first place");
  add("pages",
      std::to_string(sysconf(_SC_PAGESIZE)) + " bytes, large ones " +
          (pages_asked_for() == PageSize::large ? "asked for" : "not asked for (LADDER_PAGES)") +
          ", the kernel's choice: " + first_line("/sys/kernel/mm/transparent_hugepage/enabled"),
      "sysconf, /sys/kernel/mm/transparent_hugepage/enabled");
  const VectorTarget vectors = vector_target();
  add("vectors", vectors.name + ", " + std::to_string(vectors.bytes) + " bytes",
      "Highway's choice, LADDER_CPU_TARGETS");
  return machine;
}

std::vector<Fact> conditions_of(const Places& places) {
  std::vector<Fact> found;
  const std::string frequency =
      "/sys/devices/system/cpu/cpu" + std::to_string(places.cpus.front()) + "/cpufreq/";
  if (const auto kilohertz = number_in(frequency + "scaling_cur_freq")) {
    found.push_back({"clock", std::to_string(*kilohertz / 1000) + " MHz",
                     "cpufreq, scaling_cur_freq of the first place"});
  }
  if (const auto governor = first_line(frequency + "scaling_governor"); !governor.empty()) {
    found.push_back({"governor", governor, "cpufreq, scaling_governor of the first place"});
  }
  const auto in_large_pages = number_in("/proc/self/smaps_rollup", "AnonHugePages:").value_or(0);
  found.push_back({"in large pages", std::to_string(in_large_pages >> 10) + " MiB",
                   "/proc/self/smaps_rollup, AnonHugePages"});
  const std::string load = first_line("/proc/loadavg");
  if (!load.empty()) {
    found.push_back({"load", load.substr(0, load.find(' ')), "/proc/loadavg, over one minute"});
  }
  return found;
}

}  // namespace ladder::host
