#include "bench/cli/options.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

#include "bench/text.hpp"

namespace ladder::bench {
namespace {

/// The parts of a list option, each looked up by name in a table of (name, value).
template <class T>
std::vector<T> named(std::string_view option, std::string_view list,
                     const std::vector<std::pair<std::string, T>>& table) {
  std::vector<T> values;
  for (const auto& part : split(option, list)) {
    const auto found = std::ranges::find(table, part, &std::pair<std::string, T>::first);
    if (found == table.end()) {
      std::vector<std::string> choices;
      for (const auto& row : table) choices.push_back(row.first);
      throw UsageError(concat(option, ": '", part, "' is unknown; ", nearest(part, choices)));
    }
    if (std::ranges::find(values, found->second) == values.end()) values.push_back(found->second);
  }
  return values;
}

template <class Table, class Member>
auto names_of(const Table& table, Member value) {
  using Value = std::decay_t<decltype(table[0].*value)>;
  std::vector<std::pair<std::string, Value>> rows;
  for (const auto& row : table) rows.emplace_back(row.name, row.*value);
  return rows;
}

/// `given` is what was typed, `text` the part of it that is to be a number.
template <class T>
T number(std::string_view option, std::string_view given, std::string_view text,
         std::string_view expected, T least) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !(value >= least) ||
      value > std::numeric_limits<T>::max())
    throw UsageError(concat(option, "=", given, ": expected ", expected));
  return value;
}

std::vector<GivenPeak> parse_peaks(std::string_view option, std::string_view list) {
  std::vector<GivenPeak> peaks;
  for (const auto& part : split(option, list)) {
    const auto colon = part.rfind(':');
    const bool has_name = colon != std::string::npos;
    const auto gbs = std::string_view(part).substr(has_name ? colon + 1 : 0);
    peaks.push_back(
        {has_name ? part.substr(0, colon) : "",
         number(option, list, gbs, "a number above zero", std::numeric_limits<double>::min())});
  }
  return peaks;
}

void take_data(Selection& selection, const std::string& data) {
  if (data.empty()) return;
  if (data.starts_with("file:")) {
    selection.data = Data::file;
    selection.data_file = data.substr(5);
    return;
  }
  const auto kinds = named<Data>("--data", data,
                                 {{"exact", Data::exact},
                                  {"uniform", Data::uniform},
                                  {"normal", Data::normal},
                                  {"file:PATH", Data::file}});
  if (kinds.size() > 1) throw UsageError(concat("--data=", data, ": one kind of data in a run"));
  selection.data = kinds.front();
  if (selection.data == Data::file) throw UsageError("--data=file:PATH: name the file");
}

void check_offset(const Selection& selection) {
  constexpr std::size_t most = 4096;  // the next page is as good as the first
  if (selection.offset > most)
    throw UsageError(concat("--offset=", selection.offset, ": at most ", most, " bytes"));
  for (const Type type : selection.types) {
    if (selection.offset % facts(type).bytes != 0)
      throw UsageError(concat("--offset=", selection.offset, ": no multiple of ", facts(type).bytes,
                              " bytes, one ", facts(type).name));
  }
}

std::string one_page_size(const std::string& option, const std::string& text) {
  if (text == "large" || text == "small") return text;
  throw UsageError(concat(option, "=", text, ": choose large or small"));
}

}  // namespace

void take_sweeps(Selection& selection, Options& given) {
  std::vector<std::pair<std::string, const StandardSweep*>> table;
  for (const auto& sweep : standard_sweeps()) table.emplace_back(sweep.name, &sweep);
  if (given["rungs"].empty()) selection.rungs_sweep = given["sweep"];
  if (given["scope"].empty()) selection.scopes.clear();
  fill_in(given, named("--sweep", given["sweep"], table));
}

void take_options(Selection& selection, Options& given) {
  // An option that is not given leaves the default.
  const auto take = [&given](std::string_view name, auto& value, auto parse) {
    const auto& text = given.find(name)->second;
    if (!text.empty()) value = parse(concat("--", name), text);
  };
  const auto one_of = [](const auto& table) {
    return [table](const auto& option, const auto& list) { return named(option, list, table); };
  };
  const auto whole = [](auto least) {
    return [least](const auto& option, const auto& text) {
      return number(option, text, text, "a whole number", least);
    };
  };
  std::vector<std::pair<std::string, Place>> places;
  for (const auto& name : place_names) places.emplace_back(name, static_cast<Place>(places.size()));
  using Caches = std::vector<std::pair<std::string, Cache>>;
  using Scopes = std::vector<std::pair<std::string, Scope>>;

  take("backends", selection.backends, split);
  take("rungs", selection.rungs, split);
  take("types", selection.types, one_of(names_of(types, &TypeFacts::type)));
  take("ops", selection.operations, one_of(names_of(operations, &OperationFacts::operation)));
  take("sizes", selection.sizes, parse_sizes);
  for (const auto& axis : tuning_axes) {
    const auto& list = given.find(axis.name)->second;
    if (!list.empty()) selection.tuning[axis.name] = parse_axis(axis, list);
  }
  take("place", selection.places, one_of(places));
  selection.places_given = !given["place"].empty();
  if (given["cache"] == "both") given["cache"] = "cold,hot";
  selection.profile_evicts = given["cache"] == "cold";
  take("cache", selection.caches,
       one_of(Caches{{"cold", Cache::cold}, {"hot", Cache::hot}, {"cold-data", Cache::cold_data}}));
  if (given["scope"] == "both") given["scope"] = "kernel,host";
  take("scope", selection.scopes, one_of(Scopes{{"kernel", Scope::kernel}, {"host", Scope::host}}));
  take("samples", selection.samples,
       [](const auto& option, const auto& text) { return parse_count(option, text); });
  take("processes", selection.processes,
       [](const auto& option, const auto& text) { return parse_count(option, text); });
  take("peak-gbs", selection.peaks, parse_peaks);
  take("seed", selection.seed, whole(std::uint64_t{0}));
  take("offset", selection.offset, whole(std::size_t{0}));
  check_offset(selection);
  take("device", selection.device, whole(0));
  take("devices", selection.devices, parse_devices);
  if (!selection.devices.empty()) {
    if (!given["device"].empty()) throw UsageError("--devices: not with --device, its first");
    selection.device = std::max(0, selection.devices.front());
  }
  take("watchdog", selection.watchdog, [](const auto& option, const auto& text) {
    constexpr double a_day = 86400;
    const double seconds = number(option, text, text, "seconds, at most 86400", 0.0);
    if (seconds > a_day) throw UsageError(concat(option, "=", text, ": at most 86400 seconds"));
    return seconds;
  });
  selection.cpu_targets = given["cpu-targets"];
  selection.tuning_file = given["tuning"];
  take("pages", selection.pages, one_page_size);
  take_data(selection, given["data"]);
}

void take_energy(Selection& selection, const Options& given) {
  if (!selection.energy) return;
  const auto refuse = [](std::string_view option, std::string_view why) {
    throw UsageError(concat("--energy: not with ", option, ": ", why));
  };
  for (const std::string_view name : {"cache", "scope", "samples"}) {
    if (!given.find(name)->second.empty())
      refuse(concat("--", name), "the rungs run back to back, in rounds of so many seconds");
  }
  if (selection.processes > 1) refuse("--processes", "its rounds are those of one process");
  if (selection.resume) refuse("--resume", "its rounds are not taken up again");
  if (selection.quick) refuse("--quick", "a round has to be long beside the counter's step");
  if (selection.profile) refuse("--profile", "profilers see no energy");
  if (!selection.benchmark.empty())
    refuse(selection.benchmark.front(), "Google Benchmark measures times alone");
  selection.caches = {Cache::hot};
  selection.scopes = {Scope::host};
  if (selection.rungs.empty()) {
    selection.rungs = {"r04", "r16", "r30", "c07", "c13", "lib"};
    selection.rungs_may_lack = true;
  }
}

}  // namespace ladder::bench
