// The command line: words that end with a line's end.

#include <cmath>
#include <vector>

#include "bench/cli/selection.hpp"
#include "tests/fuzz/target.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ladder;
  using namespace ladder::bench;
  const auto text = fuzz::text_of(data, size);
  std::vector<std::string> words{"ladder"};
  for (std::size_t from = 0; from < text.size();) {
    const auto end = std::min(text.find('\n', from), text.size());
    words.emplace_back(text.substr(from, end - from).substr(0, text.substr(from).find('\0')));
    from = end + 1;
  }
  std::vector<const char*> arguments;
  for (const auto& word : words) arguments.push_back(word.c_str());
  try {
    const auto selection = parse_command_line(static_cast<int>(arguments.size()), arguments.data());
    if (!selection) return 0;
    fuzz::expect(selection->command == words, "the record has the command as it was typed");
    fuzz::expect(!selection->types.empty() && !selection->operations.empty(), "lists hold some");
    fuzz::expect(selection->processes >= 1, "there is a process");
    fuzz::expect(selection->watchdog >= 0 && selection->watchdog <= 86400, "a day can be waited");
    for (const auto& peak : selection->peaks)
      fuzz::expect(std::isfinite(peak.gbs) && peak.gbs > 0, "a peak is a number above zero");
    for (const Type type : selection->types)
      fuzz::expect(selection->offset % facts(type).bytes == 0, "inputs are of whole elements");
    for (const auto& [axis, values] : selection->tuning)
      fuzz::expect(!values.empty(), "an axis that is named has values");
  } catch (const UsageError&) {
    return 0;
  }
  return 0;
}
