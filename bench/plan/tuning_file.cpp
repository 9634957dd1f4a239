#include "bench/plan/tuning_file.hpp"

#include <algorithm>
#include <bit>
#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <nlohmann/json.hpp>

#include "bench/json_text.hpp"
#include "bench/text.hpp"

namespace ladder::bench {
namespace {

using PlainJson = nlohmann::json;

constexpr int tuning_schema = 1;

/// The fact of that name in a list of types or operations.
template <class List>
const auto& named(const List& list, const std::string& name) {
  const auto found = std::ranges::find(list, name, [](const auto& one) { return one.name; });
  if (found == std::end(list)) throw UsageError(concat("'", name, "' is unknown"));
  return *found;
}

std::int64_t whole(const PlainJson& line, const char* field, std::int64_t least,
                   std::int64_t most) {
  const auto& value = line.at(field);
  // A number past an int64 is unsigned, and would be compared as a negative one.
  const bool past = value.is_number_unsigned() && value.get<std::uint64_t>() > std::uint64_t{1}
                                                                                   << 62;
  if (!value.is_number_integer() || past || value > most || value < least)
    throw UsageError(concat(field, " is ", value.dump(), ": from ", least, " to ", most));
  return value.get<std::int64_t>();
}

Tuned::Line line_of(const PlainJson& line) {
  const auto block = static_cast<unsigned>(whole(line, "block", 32, 1024));
  if (!std::has_single_bit(block))
    throw UsageError(concat("block is ", block, ", no power of two"));
  return {named(types, line.at("type").get<std::string>()).type,
          named(operations, line.at("op").get<std::string>()).operation,
          static_cast<std::size_t>(whole(line, "from_bytes", 0, std::int64_t{1} << 62)),
          block,
          static_cast<unsigned>(whole(line, "vectors", 1, 64)),
          static_cast<int>(whole(line, "per_unit", -1, 1024))};
}

void add_host_line(const PlainJson& line, Tuned& tuned) {
  const Tuned::HostLine read{
      static_cast<std::size_t>(whole(line, "from_bytes", 0, std::int64_t{1} << 62)),
      static_cast<unsigned>(whole(line, "workers", 1, 65536)),
      static_cast<unsigned>(whole(line, "pieces", 1, 4)),
      static_cast<std::size_t>(whole(line, "prefetch", 0, 1 << 20))};
  if (read.pieces == 3) throw UsageError("pieces is 3: 1, 2 or 4");
  if (read.prefetch != 0 && read.pieces != 2)
    throw UsageError(concat("prefetch is ", read.prefetch, " in ", read.pieces,
                            read.pieces == 1 ? " piece" : " pieces", ": there is one in 2 alone"));
  tuned.add(named(types, line.at("type").get<std::string>()).type,
            named(operations, line.at("op").get<std::string>()).operation, read);
}

std::string slug_of(const std::string& device) {
  std::string slug;
  for (const char c : device) {
    const auto letter = static_cast<unsigned char>(c);
    slug += std::isalnum(letter) != 0 ? static_cast<char>(std::tolower(letter)) : '_';
  }
  return slug;
}

std::filesystem::path usual_file(const std::string& device) {
  const char* config = std::getenv("XDG_CONFIG_HOME");
  const char* home = std::getenv("HOME");
  std::filesystem::path folder;
  if (config != nullptr && *config != '\0') {
    folder = config;
  } else if (home != nullptr) {
    folder = std::filesystem::path(home) / ".config";
  } else {
    return {};
  }
  return folder / "reduction-ladder" / (slug_of(device) + ".json");
}

/// What a file of choices has to name: of several devices as one, what each of them is.
const std::string& name_of(const DeviceFacts& facts) {
  return facts.each.empty() ? facts.name : facts.each;
}

}  // namespace

std::string device_named_in(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  if (!file || too_deep(bytes)) return {};
  const auto json = PlainJson::parse(bytes, nullptr, false);
  if (!json.is_object() || !json.contains("device") || !json["device"].is_object()) return {};
  const auto name = json["device"].find("name");
  return name != json["device"].end() && name->is_string() ? name->get<std::string>() : "";
}

Tuned read_tuning(const std::string& path, const std::string& device, const std::string& kind) {
  const auto refuse = [&](const std::string& why) {
    return UsageError(concat("--tuning: ", path, ": ", why));
  };
  std::error_code code;
  if (!std::filesystem::is_regular_file(path, code)) throw refuse("is no file");
  std::ifstream file(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  if (!file) throw refuse("cannot be read");
  Tuned tuned;
  tuned.source = concat(path, " ", hash_of(bytes));
  if (too_deep(bytes)) throw refuse("is no file of ./study tune: it is nested too deeply");
  try {
    const auto json = PlainJson::parse(bytes);
    if (json.at("schema") != tuning_schema) throw refuse("is of another schema than 1");
    const auto name = json.at("device").at("name").get<std::string>();
    if (name != device) throw refuse(concat("is of '", name, "', and this is '", device, "'"));
    for (const auto& line : json.at("choices")) {
      if (kind == "cpu") {
        add_host_line(line, tuned);
      } else {
        tuned.lines.push_back(line_of(line));
      }
    }
  } catch (const PlainJson::exception& error) {
    throw refuse(concat("is no file of ./study tune: ", error.what()));
  } catch (const UsageError& error) {
    const std::string why = error.what();
    throw why.starts_with("--tuning") ? error : refuse(why);
  }
  return tuned;
}

void use_tuning(const Selection& selection, const Plan& plan) {
  const std::string &given = selection.tuning_file, of = device_named_in(given);
  bool used = false;
  for (const auto& planned : plan.devices) {
    const auto& facts = planned.device->facts();
    const auto& name = name_of(facts);
    std::error_code code;
    if (const auto usual = usual_file(name); !given.empty()) {
      if (name != of) continue;
      planned.device->use(read_tuning(given, name, facts.kind));
      used = true;
    } else if (!usual.empty() && std::filesystem::exists(usual, code)) {
      planned.device->use(read_tuning(usual, name, facts.kind));
    }
  }
  // Of no device that is planned, or no file of choices at all: that is told of the first one.
  if (!given.empty() && !used && !plan.devices.empty()) {
    const auto& facts = plan.devices.front().device->facts();
    read_tuning(given, name_of(facts), facts.kind);
  }
}

}  // namespace ladder::bench
