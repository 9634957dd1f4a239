#pragma once

// Options of CLI11 whose values are of our types. A reader makes a value, or several, of a text,
// and throws a `UsageError` that says what would be valid.

#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "bench/cli/selection.hpp"
#include "bench/text.hpp"

namespace ladder::bench {

/// Calls `read`, and names the option by its first name and what was typed in the error.
template <class Read>
auto read_for(const std::string& option, const std::string& text, const Read& read) {
  try {
    return read(text);
  } catch (const UsageError& reason) {
    throw UsageError(concat(option.substr(0, option.find(',')), ": '", text, "': ", reason.what()));
  }
}

/// An option of one value, which `read` makes of the text.
template <class T, class Read>
CLI::Option* add_value(CLI::App& app, const std::string& option, T& value, Read read,
                       const std::string& help) {
  const auto take = [&value, option, read](const std::string& text) {
    value = read_for(option, text, read);
  };
  return app.add_option_function<std::string>(option, take, help);
}

/// An option of a list: `read` makes values of each part.
template <class T, class Read>
CLI::Option* add_list(CLI::App& app, const std::string& option, std::vector<T>& values, Read read,
                      const std::string& help) {
  const auto take = [&values, option, read](const std::vector<std::string>& parts) {
    values.clear();
    for (const auto& part : parts) {
      const auto more = read_for(option, part, read);
      values.insert(values.end(), more.begin(), more.end());
    }
  };
  return app.add_option_function<std::vector<std::string>>(option, take, help)
      ->delimiter(',')
      ->allow_extra_args(false);
}

/// Names, and the values that each stands for.
template <class T>
using Choices = std::vector<std::pair<std::string, std::vector<T>>>;

/// Reads one of the names.
template <class T>
auto one_of(const Choices<T>& choices) {
  return [choices](const std::string& text) {
    std::vector<std::string> names;
    for (const auto& [name, values] : choices) {
      if (name == text) return values;
      names.push_back(name);
    }
    throw UsageError("unknown; choose from " + join(names));
  };
}

/// Reads one of the names of a table, which stands for what `value` gives of its row.
template <class Table, class Value>
auto one_of(const Table& table, Value value) {
  Choices<std::decay_t<std::invoke_result_t<Value, decltype(table[0])>>> choices;
  for (const auto& row : table)
    choices.push_back({std::string(row.name), {std::invoke(value, row)}});
  return one_of(choices);
}

/// Reads a number. CLI11's own conversion takes 010 for 8, and -1 for a large number.
template <class T>
auto number_from(T least, T most) {
  return [least, most](const std::string& text) {
    if (const auto value = number(text, least, most)) return *value;
    throw UsageError(concat("expected a ", std::is_integral_v<T> ? "whole number" : "number",
                            " from ", least, " to ", most));
  };
}

}  // namespace ladder::bench
