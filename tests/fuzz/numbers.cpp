// A mutation beside libFuzzer's own: a number in the input becomes one that readers get wrong, or
// gets the other sign, which leaves all else about it right. Its own change bytes, and seldom make
// a whole number of another kind where one stood.

#include <algorithm>
#include <array>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "tests/fuzz/target.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  constexpr std::array<std::string_view, 12> wrong{
      "nan", "-nan",  "inf",   "-inf",       "-1", "0",
      "0.5", "1e999", "1e300", "2147483648", "1e", "18446744073709551616"};
  std::minstd_rand draw(seed);
  if (draw() % 2 == 0) return LLVMFuzzerMutate(data, size, most);
  constexpr std::string_view digits = "0123456789";
  const std::string text(ladder::fuzz::text_of(data, size));
  std::vector<std::size_t> numbers;  // where each begins
  for (std::size_t at = text.find_first_of(digits); at != std::string::npos;
       at = text.find_first_of(digits, text.find_first_not_of(digits, at)))
    numbers.push_back(at);
  if (numbers.empty()) return LLVMFuzzerMutate(data, size, most);
  const std::size_t begin = numbers[draw() % numbers.size()];
  if (draw() % 2 == 0 && size < most) {
    const bool is_negative = begin > 0 && text[begin - 1] == '-';
    const std::string turned = text.substr(0, is_negative ? begin - 1 : begin) +
                               (is_negative ? "" : "-") + text.substr(begin);
    std::ranges::copy(turned, data);
    return turned.size();
  }
  const std::size_t end = std::min(text.find_first_not_of("0123456789.", begin), size);
  const std::string made =
      text.substr(0, begin) + std::string(wrong[draw() % wrong.size()]) + text.substr(end);
  if (made.size() > most) return LLVMFuzzerMutate(data, size, most);
  std::ranges::copy(made, data);
  return made.size();
}
