#include "common/machine_id.hpp"

#include <cstdint>
#include <cstdio>
#include <fstream>

#include "common/data.hpp"

namespace ladder {

std::string machine_id() {
  std::string name;
  std::getline(std::ifstream("/etc/machine-id") >> std::ws, name);
  if (name.empty()) return {};
  std::uint64_t hash = 0x6c61646465720001;  // the salt
  for (const char c : name) hash = random_word(hash, static_cast<unsigned char>(c));
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
  return text;
}

}  // namespace ladder
