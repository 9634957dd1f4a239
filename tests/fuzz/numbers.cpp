// A mutation beside libFuzzer's own: a number in the input becomes one that readers get wrong, or
// gets the other sign, which leaves all else about it right. Its own change bytes, and seldom make
// a whole number of another kind where one stood.

#include <algorithm>
#include <array>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "tests/fuzz/target.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace {

/// A number in a text: its digits, a fraction, an exponent; the sign is before it.
struct Number {
  std::size_t begin, end;
};

std::vector<Number> numbers_in(const std::string& text) {
  constexpr std::string_view digits = "0123456789", digits_or_point = "0123456789.";
  const auto behind = [&](std::string_view these, std::size_t at) {
    return std::min(text.find_first_not_of(these, at), text.size());
  };
  std::vector<Number> numbers;
  for (std::size_t at = 0; (at = text.find_first_of(digits, at)) != std::string::npos;) {
    std::size_t end = behind(digits_or_point, at);
    if (end < text.size() && (text[end] == 'e' || text[end] == 'E'))
      end = behind(digits, behind("+-", end + 1));
    numbers.push_back({at, end});
    at = end;
  }
  return numbers;
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  // 7 and 96 are no powers of two, as a block has to be.
  constexpr std::array<std::string_view, 14> wrong{
      "nan", "-nan", "inf",   "-inf",  "-1",         "0",  "0.5",
      "7",   "96",   "1e999", "1e300", "2147483648", "1e", "18446744073709551616"};
  std::minstd_rand draw(seed);
  if (draw() % 3 == 0) return LLVMFuzzerMutate(data, size, most);
  const std::string text(ladder::fuzz::text_of(data, size));
  auto numbers = numbers_in(text);
  // What is measured has a fraction, and is seldom among many counts.
  if (draw() % 2 == 0) {
    std::vector<Number> measured;
    std::ranges::copy_if(numbers, std::back_inserter(measured), [&](const Number& one) {
      return text.substr(one.begin, one.end - one.begin).find_first_of(".e") != std::string::npos;
    });
    if (!measured.empty()) numbers = measured;
  }
  if (numbers.empty()) return LLVMFuzzerMutate(data, size, most);
  const auto [begin, end] = numbers[draw() % numbers.size()];
  std::string before = text.substr(0, begin), number = text.substr(begin, end - begin);
  if (draw() % 2 == 0) {
    number = wrong[draw() % wrong.size()];
  } else if (before.ends_with('-')) {
    before.pop_back();
  } else {
    before += '-';
  }
  const std::string made = before + number + text.substr(end);
  if (made.size() > most) return LLVMFuzzerMutate(data, size, most);
  std::ranges::copy(made, data);
  return made.size();
}
