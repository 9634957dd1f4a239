#pragma once

// Tests registered at run time: one suite per backend of all_backends(). A backend that cannot be
// opened is skipped with its reason, as is a rung whose requirement the device lacks.

#include <cstdlib>
#include <functional>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "common/model/backend.hpp"

namespace ladder::tests {

using Body = std::function<void(Backend&)>;

/// Opens a backend on the first device, or on those in LADDER_TEST_DEVICES ("0,0,0": three shares
/// of one device). Returns the reason on failure.
inline std::optional<std::string> open_for_tests(Backend& backend) {
  const char* const named = std::getenv("LADDER_TEST_DEVICES");
  std::istringstream words(named == nullptr ? "0" : named);
  std::vector<int> devices;
  for (std::string word; std::getline(words, word, ',');) devices.push_back(std::stoi(word));
  return backend.open_on(devices);
}

class OnBackend : public testing::Test {
 public:
  OnBackend(Backend& backend, Need need, Body body)
      : backend_(backend), need_(need), body_(std::move(body)) {}
  void SetUp() override {
    if (const auto why = open_for_tests(backend_)) GTEST_SKIP() << *why;
    if (const auto lack = lacking(need_, backend_.device().facts()); !lack.empty())
      GTEST_SKIP() << lack;
  }
  void TestBody() override {
    try {
      body_(backend_);
    } catch (...) {
      (void)backend_.device().recover();
      throw;
    }
  }

 private:
  Backend& backend_;
  Need need_;
  Body body_;
};

/// Registers `<suite>/<backend>.<name>`.
inline void add_test(const std::string& suite, Backend& backend, const std::string& name, Body body,
                     Need need = {}) {
  testing::RegisterTest((suite + "/" + std::string(backend.name())).c_str(), name.c_str(), nullptr,
                        nullptr, __FILE__, __LINE__,
                        [&backend, need, body = std::move(body)]() -> OnBackend* {
                          return new OnBackend(backend, need, body);
                        });
}

/// Registers `<suite>/<backend>.<rung>_<words>`, which calls `body(backend, rung)`.
template <class F>
void add_test(const std::string& suite, Backend& backend, std::size_t rung, std::string_view words,
              const F& body) {
  const RungInfo& info = backend.rungs()[rung];
  add_test(
      suite, backend, full_name(info.rung) + "_" + std::string(words),
      [rung, body](Backend& opened) { body(opened, rung); }, info.need);
}

/// Runs the registered tests and returns the exit status: 77 if none failed and none could run.
inline int run_tests() {
  const int status = RUN_ALL_TESTS();
  const bool ran = testing::UnitTest::GetInstance()->successful_test_count() > 0;
  return status == 0 && !ran ? 77 : status;
}

}  // namespace ladder::tests
