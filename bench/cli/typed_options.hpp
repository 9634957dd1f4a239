#pragma once

// CLI11 options with typed values. A reader converts text to one or more values, and throws a
// `UsageError` that names the valid values.

#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "bench/cli/selection.hpp"
#include "bench/text.hpp"

namespace ladder::bench {

/// Calls `read`; prefixes its errors with the option's first name and the given text.
template <class Read>
auto read_for(const std::string& option, const std::string& text, const Read& read) {
  try {
    return read(text);
  } catch (const UsageError& reason) {
    throw UsageError(concat(option.substr(0, option.find(',')), ": '", text, "': ", reason.what()));
  }
}

/// Adds an option with one value, parsed by `read`.
template <class T, class Read>
CLI::Option* add_value(CLI::App& app, const std::string& option, T& value, Read read,
                       const std::string& help) {
  const auto take = [&value, option, read](const std::string& text) {
    value = read_for(option, text, read);
  };
  return app.add_option_function<std::string>(option, take, help);
}

/// Adds a list option; `read` parses each part into values.
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

/// Maps names to values.
template <class T>
using Choices = std::vector<std::pair<std::string, std::vector<T>>>;

/// Returns a reader that accepts one of the names.
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

/// Returns a reader that accepts a row's name and yields `value(row)`.
template <class Table, class Value>
auto one_of(const Table& table, Value value) {
  Choices<std::decay_t<std::invoke_result_t<Value, decltype(table[0])>>> choices;
  for (const auto& row : table)
    choices.push_back({std::string(row.name), {std::invoke(value, row)}});
  return one_of(choices);
}

/// Returns a reader of numbers. CLI11 parses 010 as 8, and -1 as a large unsigned number.
template <class T>
auto number_from(T least, T most) {
  return [least, most](const std::string& text) {
    if (const auto value = number(text, least, most)) return *value;
    throw UsageError(concat("expected a ", std::is_integral_v<T> ? "whole number" : "number",
                            " from ", least, " to ", most));
  };
}

}  // namespace ladder::bench
