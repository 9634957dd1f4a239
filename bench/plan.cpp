#include "bench/plan.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <regex>
#include <set>

#include "bench/rungs.hpp"
#include "bench/sampler.hpp"

namespace ladder::bench {
namespace {

/// Whether `name` passes --benchmark_filter, which as in the library may begin with '-' for "all
/// but".
class Filter {
 public:
  explicit Filter(const std::string& text) : text_(text), negative_(text.starts_with("-")) {
    try {
      regex_.assign(negative_ ? text.substr(1) : text, std::regex::extended);
    } catch (const std::regex_error& error) {
      throw UsageError("--benchmark_filter=" + text + ": not a regular expression (" +
                       error.what() + ")");
    }
  }
  bool operator()(const std::string& name) const {
    return text_.empty() || std::regex_search(name, regex_) != negative_;
  }

 private:
  std::string text_;
  bool negative_;
  std::regex regex_;
};

template <class T>
std::vector<T> axis(unsigned axes, unsigned which, const std::vector<T>& values) {
  return (axes & which) != 0 && !values.empty() ? values : std::vector<T>{T{}};
}

/// The blocks that a grid of --grid has on a device; 0, the default, where none was given.
unsigned blocks_of(const GridSize& grid, const DeviceFacts& facts) {
  const std::size_t blocks = grid.amount * (grid.per_unit ? facts.units : 1);
  if (blocks > std::numeric_limits<unsigned>::max()) {
    throw NotPossible("--grid=" + std::to_string(grid.amount) + "x: too many blocks on " +
                      std::to_string(facts.units) + " multiprocessors");
  }
  return static_cast<unsigned>(blocks);
}

/// The scopes that were asked for, on a backend that is open.
std::vector<Scope> scopes_on(const Backend& backend, const Selection& selection) {
  return selection.scopes.empty() ? std::vector{finest_scope(backend)} : selection.scopes;
}

/// Every measurement of one rung on one type, operation and size.
void cross(const Selection& selection, const Measurement& start, const Filter& filter,
           std::set<std::string>& seen, Plan& plan) {
  const auto axes = start.info().rung.axes;
  const bool planted = selection.data == Data::exact && plants(start.operation);
  std::vector<std::optional<Place>> places{std::nullopt};
  if (planted) places.assign(selection.places.begin(), selection.places.end());
  for (const unsigned block : axis(axes, block_axis, selection.blocks))
    for (const GridSize grid : axis(axes, grid_axis, selection.grids))
      for (const unsigned items : axis(axes, items_axis, selection.items))
        for (const unsigned workers : axis(axes, workers_axis, selection.workers))
          for (const auto place : places)
            for (const auto cache : selection.caches)
              for (const auto scope : scopes_on(*start.backend, selection)) {
                if (scope == Scope::kernel && start.info().blocks) continue;
                Measurement m = start;
                const Problem problem{nullptr, m.n, m.type, m.operation, nullptr};
                m.place = place;
                m.cache = cache;
                m.scope = scope;
                try {
                  m.tuning = {block, 0, items, workers};  // for `skipped`
                  m.tuning.grid = blocks_of(grid, m.backend->facts());
                  m.tuning = m.backend->resolve(m.rung, problem, m.tuning);
                } catch (const NotPossible& reason) {
                  plan.skipped.push_back({m.name(), reason.what()});
                  continue;
                }
                const auto name = m.name();
                if (filter(name) && seen.insert(name).second) plan.measurements.push_back(m);
              }
}

/// Leaves out the largest sizes until the inputs that are resident together fit.
void fit_memory(Plan& plan) {
  std::map<std::string, std::size_t> available;
  for (auto* backend : plan.backends) {
    // What the harness takes beside the inputs: the eviction buffer, scratch, and some air.
    const std::size_t own = 4 * backend->facts().last_level_cache + (std::size_t{256} << 20);
    const std::size_t free = backend->free_bytes();
    available[backend->memory_space()] = free > own ? free - own : 0;
  }
  for (const auto& [space, limit] : available) {
    for (;;) {
      std::size_t needed = 0;
      for (const auto& [name, bytes] : resident_bytes(plan)) {
        if (name == space) needed = bytes;
      }
      if (needed <= limit) break;
      const Measurement* largest = nullptr;
      for (const auto& m : plan.measurements) {
        if (m.backend->memory_space() == space &&
            (largest == nullptr || m.bytes() > largest->bytes()))
          largest = &m;
      }
      const std::size_t bytes = largest->bytes();
      const std::string reason = "needs " + bytes_text(static_cast<double>(bytes)) + ", free " +
                                 bytes_text(static_cast<double>(limit)) + " in " + space;
      std::erase_if(plan.measurements, [&](const Measurement& m) {
        const bool drop = m.backend->memory_space() == space && m.bytes() == bytes;
        if (drop) plan.skipped.push_back({m.name(), reason});
        return drop;
      });
    }
  }
}

}  // namespace

Plan make_plan(const Selection& selection, std::span<const std::unique_ptr<Backend>> backends) {
  std::vector<std::string> names;
  for (const auto& backend : backends) names.emplace_back(backend->name());
  for (const auto& wanted : selection.backends) {
    if (std::ranges::find(names, wanted) == names.end()) {
      throw UsageError("--backends: '" + wanted + "' is not in this build; " +
                       nearest(wanted, names));
    }
  }
  check_rungs(selection, backends);

  Plan plan;
  for (const auto& backend : backends) {
    const bool by_name =
        std::ranges::find(selection.backends, backend->name()) != selection.backends.end();
    if (!by_name && !selection.backends.empty()) continue;
    if (const auto problem = backend->open(selection.device)) {
      if (by_name) throw NotPossible(std::string(backend->name()) + ": " + *problem);
      plan.notes.push_back(std::string(backend->name()) + ": " + *problem);
    } else {
      plan.backends.push_back(backend.get());
    }
  }
  if (plan.backends.empty()) {
    std::string all = "no backend of this build can run here:";
    for (const auto& note : plan.notes) all += "\n  " + note;
    throw NotPossible(all);
  }

  for (const auto* backend : plan.backends) {
    Peak peak{backend->facts().peak_gbs, backend->facts().peak_source};
    for (const auto& given : selection.peaks) {
      const bool meant =
          given.backend.empty() ? backend->facts().kind == "cpu" : given.backend == backend->name();
      if (meant) peak = {given.gbs, "given by --peak-gbs"};
    }
    plan.peaks.push_back(peak);
  }
  for (const auto& given : selection.peaks) {
    if (!given.backend.empty() && std::ranges::find(names, given.backend) == names.end()) {
      throw UsageError("--peak-gbs: '" + given.backend + "' is not in this build; " +
                       nearest(given.backend, names));
    }
  }

  if (selection.data == Data::file) {
    for (const auto type : selection.types) {
      plan.files[type] = std::make_shared<DataFile>(selection.data_file, type);
    }
  }
  std::vector<Size> sizes = selection.sizes;
  if (sizes.empty() && selection.data != Data::file) {
    std::size_t bytes = 0;
    for (const auto* backend : plan.backends) {
      const std::size_t gpu = backend->facts().kind == "gpu" ? std::size_t{1} << 30 : 0;
      bytes = std::max({bytes, gpu, memory_size(backend->facts())});
    }
    sizes.push_back({std::bit_ceil(bytes), true});
  }
  const Filter filter(selection.filter);
  std::set<std::string> seen;
  for (auto* backend : plan.backends) {
    for (const auto rung : selected_rungs(selection, *backend)) {
      const auto& info = backend->rungs()[rung];
      const std::string who = std::string(backend->name()) + " " + full_name(info.rung);
      if (!info.why_absent.empty()) {
        plan.skipped.push_back({who, "absent: " + std::string(info.why_absent)});
        continue;
      }
      if (info.blocks && scopes_on(*backend, selection) == std::vector{Scope::kernel}) {
        plan.skipped.push_back(
            {who, "blocks until the result is on the host: it has host scope only"});
        continue;
      }
      for (const auto type : selection.types) {
        for (const auto operation : selection.operations) {
          const std::string pair =
              std::string(facts(type).name) + " " + std::string(facts(operation).name);
          if (!backend->carries(rung, type, operation)) {
            plan.skipped.push_back({who + " " + pair, "not carried"});
            continue;
          }
          const bool ranges_out = operation == Operation::product && !facts(type).integer;
          if (ranges_out && selection.data != Data::exact) {
            plan.skipped.push_back(
                {who + " " + pair,
                 "a product of such data leaves the type's range: exact data only"});
            continue;
          }
          Measurement start{backend, rung, type, operation, 0, {}, selection.data, {}, {}, {}};
          const auto* file = selection.data == Data::file ? plan.files.at(type).get() : nullptr;
          if (file != nullptr && sizes.empty()) {
            start.n = file->elements();
            cross(selection, start, filter, seen, plan);
          }
          for (const auto& size : sizes) {
            start.n = size.elements(type);
            if (file != nullptr && start.n > file->elements()) {
              plan.skipped.push_back(
                  {who + " " + pair + " n:" + std::to_string(start.n),
                   "the file holds " + std::to_string(file->elements()) + " elements"});
            } else {
              cross(selection, start, filter, seen, plan);
            }
          }
        }
      }
    }
  }
  fit_memory(plan);
  return plan;
}

}  // namespace ladder::bench
