#include "bench/plan/plan.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <regex>
#include <set>
#include <utility>

#include "bench/cli/selection.hpp"
#include "bench/text.hpp"

namespace ladder::bench {
namespace {

/// Returns the predicate of --benchmark_filter; a leading '-' negates it, as in the library.
std::function<bool(const std::string&)> filter_of(const std::string& text) try {
  if (text.empty()) return [](const std::string&) { return true; };
  const bool negative = text.starts_with("-");
  const std::regex pattern(negative ? text.substr(1) : text, std::regex::extended);
  return [=](const std::string& name) { return std::regex_search(name, pattern) != negative; };
} catch (const std::regex_error& error) {
  throw UsageError(
      concat("--benchmark_filter=", text, ": not a regular expression (", error.what(), ")"));
}

/// One value of each of `tuning_axes`; zero: the default.
using Combination = std::vector<AxisValue>;

/// All combinations requested on the rung's axes, the last axis varying fastest.
std::vector<Combination> combinations(const Rung& rung, const Selection& selection) {
  std::vector<Combination> all{{}};
  for (const auto& axis : tuning_axes) {
    const auto asked = selection.tuning.find(axis.name);
    Combination values{AxisValue{}};
    if ((rung.axes & axis.bit) != 0 && asked != selection.tuning.end()) values = asked->second;
    std::vector<Combination> longer;
    for (const auto& combination : all) {
      for (const auto& value : values) {
        longer.push_back(combination);
        longer.back().push_back(value);
      }
    }
    all = std::move(longer);
  }
  return all;
}

/// Sets `tuning` axis by axis. Throws `NotPossible` for too many blocks; earlier axes are then set.
void set_tuning(Tuning& tuning, const Combination& values, const DeviceFacts& facts) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto& axis = tuning_axes[i];
    const auto [amount, per_unit] = values[i];
    const std::size_t value = amount * (per_unit ? facts.units : 1);
    if (value > std::numeric_limits<unsigned>::max())
      throw NotPossible(
          concat("--", axis.name, "=", amount, "x: too many on ", facts.units, " SMs"));
    tuning.*axis.member = static_cast<unsigned>(value);
  }
}

class Planner {
 public:
  Planner(const Selection& selection, std::span<const std::unique_ptr<Backend>> backends)
      : selection_(selection), filter_(filter_of(selection.filter)) {
    open_backends(selection, backends, plan_);
    check_files();
    const auto rungs = chosen_rungs(selection, plan_.backends, plan_.notes);
    if (selection.data == Data::file) {
      for (const auto type : selection.types)
        plan_.files[type] = read_data_file(selection.data_file, type);
    }
    use_tuning(selection, plan_);
    find_sizes();
    for (auto* backend : plan_.backends) {
      for (const auto rung : rungs.at(backend)) add_rung(backend, rung);
    }
    fit_memory(plan_);
  }

  Plan take() { return std::move(plan_); }

 private:
  /// Records know a file of offsets by its name alone.
  void check_files() const {
    for (const auto& one : selection_.shapes) {
      for (const auto& other : selection_.shapes) {
        if (one.text == other.text && one.file != other.file)
          throw UsageError(concat("--shape: two files are named alike, ", one.file, " and ",
                                  other.file, ": rename one"));
      }
    }
  }

  void find_sizes() {
    sizes_ = selection_.sizes;
    if (!sizes_.empty() || selection_.data == Data::file) return;
    std::size_t bytes = selection_.energy ? std::size_t{4} << 30 : 0;
    for (const auto& planned : plan_.devices) {
      bytes = std::max(bytes, memory_size(planned.device->facts()));
    }
    sizes_.push_back({bytes, true});
  }

  void leave_out(const Measurement& m, const std::string& reason) {
    plan_.left_out[reason].insert(m.who());
  }

  /// The requested scopes; the backend must be open.
  std::vector<Scope> scopes_on(const Backend& backend) const {
    return selection_.scopes.empty() ? std::vector{finest_scope(backend.device())}
                                     : selection_.scopes;
  }

  /// True if the user named this rung: if not, a shape it does not take is skipped silently.
  bool is_named(const RungInfo& info) const { return !selection_.rungs.empty() && !info.library; }

  void add_rung(Backend* backend, std::size_t rung) {
    Measurement m;
    m.backend = backend;
    m.rung = rung;
    m.data = selection_.data;
    const auto& info = m.info();
    const auto taken = [&](const GroupShape& shape) { return info.rung.takes(shape.by); };
    if (!is_named(info) && std::ranges::none_of(selection_.shapes, taken)) return;
    if (!info.why_absent.empty()) return leave_out(m, std::string(info.why_absent));
    if (const auto lack = lacking(info.need, backend->device().facts()); !lack.empty())
      return leave_out(m, lack);
    const auto scopes = scopes_on(*backend);
    if (info.blocks && std::ranges::find(scopes, Scope::host) == scopes.end())
      return leave_out(m, "blocks until the result is on the host: host scope only");
    for (const auto type : selection_.types) {
      for (const auto operation : selection_.operations) {
        m.type = type;
        m.operation = operation;
        const bool ranges_out = operation == Operation::product && !facts(type).integer;
        if (!backend->carries(rung, type, operation)) {
          leave_out(m, "not carried");
        } else if (ranges_out && m.data != Data::exact) {
          leave_out(m, "a product of such data leaves the type's range: exact data only");
        } else {
          add_sizes(m);
        }
      }
    }
  }

  void add_sizes(Measurement m) {
    for (const auto& shape : selection_.shapes) {
      m.shape = shape;
      if (!m.info().rung.takes(shape.by)) {
        if (is_named(m.info())) leave_out(m, not_taken(m.info().rung, shape.by));
        continue;
      }
      for (const auto n : sizes_of(shape, m.type)) {
        try {
          set_groups(m, n);
        } catch (const UsageError&) {
          throw;
        } catch (const NotPossible& reason) {
          leave_out(m, reason.what());
          continue;
        }
        if (m.data == Data::file && m.extent() > elements_held(m.type)) {
          leave_out(m, concat("the file holds ", elements_held(m.type), " elements"));
        } else if (selection_.energy && m.n == 0) {
          leave_out(m, "nothing is read: there is no energy of a byte");
        } else {
          cross(m);
        }
      }
    }
  }

  /// Requested sizes in elements; default: the whole file; {0} if the shape determines n.
  std::vector<std::size_t> sizes_of(const GroupShape& shape, Type type) const {
    if (shape.has_size()) return {0};
    if (sizes_.empty()) return {elements_held(type)};
    std::vector<std::size_t> all;
    for (const auto& size : sizes_) all.push_back(size.elements(type));
    return all;
  }

  /// Number of elements in the file of --data.
  std::size_t elements_held(Type type) const {
    return plan_.files.at(type).size() / facts(type).bytes;
  }

  /// Sets n and the groups of the measurement's shape; a shape with its own size ignores `n`.
  void set_groups(Measurement& m, std::size_t n) {
    m.n = n;
    if (m.shape.by == Grouping::whole) return;
    const std::pair key(m.shape.text, n);
    auto known = plan_.groups.find(key);
    if (known == plan_.groups.end())
      known = plan_.groups.emplace(key, groups_of(m.shape, n, selection_.seed)).first;
    const auto& made = known->second;
    m.n = made.n;
    m.groups = made.groups;
    m.offsets = made.offsets;
  }

  /// Adds all measurements of one rung for one type, operation and size.
  void cross(Measurement m) {
    for (const auto& combination : combinations(m.info().rung, selection_))
      for (const auto cache : selection_.caches)
        for (const auto scope : scopes_on(*m.backend)) {
          if (scope != Scope::host && m.info().blocks) continue;
          m.tuning = {};
          m.cache = scope == Scope::chain ? Cache::hot : cache;
          m.scope = scope;
          try {
            set_tuning(m.tuning, combination, m.device().facts());
            m.tuning = m.backend->resolve(m.rung, m.problem(), m.tuning);
          } catch (const NotPossible& reason) {
            leave_out(m, reason.what());
            continue;
          }
          const auto name = m.name();
          if (filter_(name) && seen_.insert(name).second) plan_.measurements.push_back(m);
        }
  }

  const Selection& selection_;
  std::function<bool(const std::string&)> filter_;
  std::vector<Size> sizes_;
  std::set<std::string> seen_;
  Plan plan_;
};

}  // namespace

const Peak& Plan::peak(const Device& device) const {
  return std::ranges::find(devices, &device, &PlannedDevice::device)->peak;
}

Plan make_plan(const Selection& selection, std::span<const std::unique_ptr<Backend>> backends) {
  return Planner(selection, backends).take();
}

}  // namespace ladder::bench
