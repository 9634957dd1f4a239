#include "several/spanning_device.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <set>

#include "common/model/reduction.hpp"

namespace ladder::several {
namespace {

void put(std::array<char, 256>& characters, std::string_view text) {
  const std::size_t length = std::min(text.size(), characters.size() - 1);
  std::memcpy(characters.data(), text.data(), length);
}

/// Members on the device that has most of them. Those without an id count as on one device.
std::size_t most_on_one_device(std::span<const MemberFacts> all) {
  std::map<std::string_view, std::size_t> members;
  std::size_t most = 0;
  for (const MemberFacts& one : all) most = std::max(most, ++members[one.id.data()]);
  return most;
}

}  // namespace

MemberFacts member_facts(const DeviceFacts& facts) {
  MemberFacts told;
  put(told.name, facts.name);
  put(told.id, facts.id);
  put(told.peak_source, facts.peak_source);
  told.peak_gbs = facts.peak_gbs.value_or(std::numeric_limits<double>::quiet_NaN());
  told.last_level_cache = facts.last_level_cache;
  told.memory_bytes = facts.memory_bytes;
  told.units = facts.units;
  told.max_workers = facts.max_workers;
  return told;
}

DeviceFacts facts_of_all(const DeviceFacts& own, std::span<const MemberFacts> all,
                         std::string_view member) {
  DeviceFacts facts = own;
  const std::string source = "asked of each " + std::string(member);
  std::set<std::string> names, ids;
  double peak = 0;
  facts.last_level_cache = facts.memory_bytes = 0;
  facts.units = 0;
  facts.id.clear();
  unsigned number = 0;
  for (const MemberFacts& told : all) {
    const std::string name = told.name.data(), id = told.id.data();
    names.insert(name);
    facts.units += told.units;
    facts.max_workers = std::min(facts.max_workers, told.max_workers);  // available on each
    facts.more.push_back({std::string(member) + " " + std::to_string(number++),
                          name + (id.empty() ? "" : ", " + id), source});
    // A repeated device counts once in memory, cache and peak.
    if (!id.empty() && !ids.insert(id).second) continue;
    facts.id += (facts.id.empty() || id.empty() ? "" : "+") + id;
    facts.last_level_cache += told.last_level_cache;
    facts.memory_bytes += told.memory_bytes;
    if (!std::isnan(peak)) facts.peak_source = told.peak_source.data();
    peak += told.peak_gbs;
  }
  facts.peak_gbs.reset();
  if (!std::isnan(peak)) facts.peak_gbs = peak;
  facts.name.clear();
  for (const std::string& name : names) facts.name += (facts.name.empty() ? "" : ", ") + name;
  facts.each = names.size() == 1 ? *names.begin() : "";
  facts.name = std::to_string(all.size()) + " x " + facts.name;
  facts.more.push_back({"members", std::to_string(all.size()), source});
  return facts;
}

SpanningDevice::SpanningDevice(Device& own, std::span<const MemberFacts> all,
                               std::string_view member)
    : own_(own),
      sharing_(most_on_one_device(all)),
      name_(std::to_string(all.size()) + " " + std::string(member) + "s, " +
            std::string(own.name())),
      facts_(facts_of_all(own.facts(), all, member)) {}

void SpanningDevice::add_disturbance(std::string& all, std::string_view who,
                                     std::string_view what) {
  if (what.empty()) return;
  if (!all.empty()) all += ", ";
  if (!who.empty()) all.append(who) += " ";
  all += what;
}

std::size_t SpanningDevice::part_of_memory(std::uint64_t least) const { return least / sharing_; }

Pass pass_of(const Footprint& footprint) {
  Pass all;
  for (const Launch& launch : footprint.launches) all += launch.pass;
  return all;
}

Pass side_by_side(const Pass& a, const Pass& b) {
  return {a.read_bytes + b.read_bytes, a.written_bytes + b.written_bytes,
          std::max(a.depth, b.depth)};
}

Footprint footprint_of(const Pass& all, const Footprint& own, unsigned shares) {
  if (all.read_bytes == 0) return {};
  Launch launch;
  if (const Launch* const main = own.main()) launch = *main;
  launch.pass = all;
  launch.pass.depth += shares;
  return {{std::move(launch)}, 0};
}

Value combined(const Value& a, const Value& b, Operation operation) {
  return with_type(a.type, [&]<Type t>() {
    return with_operation(operation, [&]<Operation o>() {
      using T = native<t>;
      constexpr bool bits =
          o == Operation::bit_and || o == Operation::bit_or || o == Operation::bit_xor;
      if constexpr (accumulator_of(t, o) == t && (std::is_integral_v<T> || !bits)) {
        return Value::of(t, Function<o, T>{}(a.as<T>(), b.as<T>()));
      } else {
        return a;  // no backend carries it
      }
    });
  });
}

}  // namespace ladder::several
