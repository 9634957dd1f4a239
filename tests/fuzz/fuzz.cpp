// Custom mutator of libFuzzer.

#include <array>
#include <cstdint>
#include <random>
#include <regex>
#include <string>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

// Two of three mutations replace a number by one that readers often get wrong, or flip its sign.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  // 7 and 96 are invalid as block sizes: not powers of two.
  constexpr std::array wrong{"nan",
                             "-nan",
                             "inf",
                             "-inf",
                             "-1",
                             "0",
                             "0.5",
                             "7",
                             "96",
                             "1e999",
                             "1e300",
                             "2147483648",
                             "1e",
                             "1844674407370955"
                             "1616"};
  static const std::regex number(R"(-?[0-9]+(\.[0-9]*)?([eE][-+]?[0-9]+)?)");
  std::minstd_rand draw(seed);
  const std::string text(reinterpret_cast<const char*>(data), size);
  const std::sregex_iterator first(text.begin(), text.end(), number), end;
  const auto count = static_cast<unsigned>(std::distance(first, end));
  if (count == 0 || draw() % 3 == 0) return LLVMFuzzerMutate(data, size, most);
  const auto found = *std::next(first, draw() % count);
  std::string other = wrong[draw() % wrong.size()];
  if (draw() % 2 == 0) other = found.str()[0] == '-' ? found.str().substr(1) : "-" + found.str();
  const std::string mutated = found.prefix().str() + other + found.suffix().str();
  if (mutated.size() > most) return LLVMFuzzerMutate(data, size, most);
  std::copy(mutated.begin(), mutated.end(), data);
  return mutated.size();
}
