#include <algorithm>
#include <bit>
#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <iterator>

#include <nlohmann/json.hpp>

#include "bench/plan/plan.hpp"
#include "bench/text.hpp"

namespace ladder::bench {
namespace {

/// Finds an entry by name in the list of types or operations. Throws `UsageError` if unknown.
template <class List>
const auto& named(const List& list, const std::string& name) {
  const auto found = std::ranges::find(list, name, [](const auto& one) { return one.name; });
  if (found == std::end(list)) throw UsageError(concat("'", name, "' is unknown"));
  return *found;
}

std::int64_t whole(const Json& line, const char* field, std::int64_t least, std::int64_t most) {
  const auto& value = line.at(field);
  // JSON numbers above INT64_MAX are unsigned; comparing them as int64 would make them negative.
  const bool past = value.is_number_unsigned() && value.get<std::uint64_t>() > INT64_MAX;
  if (!value.is_number_integer() || past || value > most || value < least)
    throw UsageError(concat(field, " is ", value.dump(), ": from ", least, " to ", most));
  return value.get<std::int64_t>();
}

/// Adds the choice of one line of a file, for a CPU or a GPU.
void add_line(const Json& line, const std::string& kind, Tuned& tuned) {
  const auto number = [&](const char* field, std::int64_t least, std::int64_t most) {
    return static_cast<unsigned>(whole(line, field, least, most));
  };
  const auto type = named(types, line.at("type").get<std::string>()).type;
  const auto operation = named(operations, line.at("op").get<std::string>()).operation;
  const auto from = static_cast<std::size_t>(whole(line, "from_bytes", 0, std::int64_t{1} << 62));
  if (kind == "cpu") {
    const Tuned::HostLine read{from, number("workers", 1, 65536), number("pieces", 1, 4),
                               number("prefetch", 0, 1 << 20)};
    if (read.pieces == 3) throw UsageError("pieces is 3: 1, 2 or 4");
    if (read.prefetch != 0 && read.pieces != 2)
      throw UsageError("prefetch: only two pieces have one");
    tuned.add(type, operation, read);
  } else {
    const Tuned::Line read{type,
                           operation,
                           from,
                           number("block", 32, 1024),
                           number("vectors", 1, 64),
                           static_cast<int>(whole(line, "per_unit", -1, 1024))};
    if (!std::has_single_bit(read.block))
      throw UsageError(concat("block is ", read.block, ", no power of two"));
    tuned.lines.push_back(read);
  }
}

/// Path of the user's tuning file for a device; empty without a home directory.
std::filesystem::path usual_file(std::string device) {
  for (char& c : device) {
    const auto letter = static_cast<unsigned char>(c);
    c = std::isalnum(letter) != 0 ? static_cast<char>(std::tolower(letter)) : '_';
  }
  const auto folder = [](const char* variable) -> std::filesystem::path {
    const char* value = std::getenv(variable);
    return value != nullptr ? value : "";
  };
  auto config = folder("XDG_CONFIG_HOME");
  if (const auto home = folder("HOME"); config.empty() && !home.empty()) config = home / ".config";
  return config.empty() ? config : config / "reduction-ladder" / (device + ".json");
}

}  // namespace

std::optional<Tuned> read_tuning(const std::string& path, const std::string& device,
                                 const std::string& kind) try {
  const std::string bytes = content(path);
  Tuned tuned;
  tuned.source = concat(path, " ", hash_of(bytes));
  const Json json = parsed(bytes);
  if (json.at("schema") != 1) throw UsageError("is of another schema than 1");
  if (json.at("device").at("name") != device) return std::nullopt;
  for (const auto& line : json.at("choices")) add_line(line, kind, tuned);
  return tuned;
} catch (const Json::exception& error) {
  throw UsageError(concat("--tuning: ", path, ": is no file of ./study tune: ", error.what()));
} catch (const std::runtime_error& error) {
  throw UsageError(concat("--tuning: ", path, ": ", error.what()));
}

void use_tuning(const Selection& selection, const Plan& plan) {
  const auto& given = selection.tuning_file;
  std::vector<std::string> others;  // devices that the given file is not for
  for (const auto& planned : plan.devices) {
    const auto& facts = planned.device->facts();
    const auto& name = facts.each.empty() ? facts.name : facts.each;  // of a group: its members'
    const std::string path = given.empty() ? usual_file(name).string() : given;
    if (given.empty() && !std::filesystem::exists(path)) continue;
    if (auto tuned = read_tuning(path, name, facts.kind)) {
      planned.device->use(std::move(*tuned));
    } else {
      others.push_back(name);
    }
  }
  if (!given.empty() && others.size() == plan.devices.size())
    throw UsageError(
        concat("--tuning: ", given, ": is for another device than these: ", join(others)));
}

}  // namespace ladder::bench
