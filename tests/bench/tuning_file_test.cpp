// Tuning files of the tuned rung: the choices read from them, their locations, and refusals.

#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "bench/plan/plan.hpp"
#include "bench/text.hpp"
#include "one_rung.hpp"
#include "tests/folder.hpp"
#include "tests/refusal.hpp"

namespace ladder::bench {
namespace {

const std::string device = "a fake device";

/// A choice for a GPU with one field replaced; an empty value removes the field.
std::string line(const std::string& field = "", const std::string& value = "") {
  std::map<std::string, std::string> fields{{"type", "\"f32\""},    {"op", "\"sum\""},
                                            {"from_bytes", "4096"}, {"block", "256"},
                                            {"vectors", "4"},       {"per_unit", "2"}};
  if (!field.empty()) fields[field] = value;
  std::erase_if(fields, [](const auto& one) { return one.second.empty(); });
  return "{" +
         join(fields, ", ",
              [](const auto& one) { return "\"" + one.first + "\": " + one.second; }) +
         "}";
}

/// A choice for a CPU.
std::string host_line(const std::string& from_bytes, unsigned workers, unsigned pieces,
                      unsigned prefetch) {
  return concat(R"({"type": "f32", "op": "sum", "from_bytes": )", from_bytes, R"(, "workers": )",
                workers, R"(, "pieces": )", pieces, R"(, "prefetch": )", prefetch, "}");
}

std::string content(const std::string& lines, const std::string& name = device) {
  return R"({"schema": 1, "device": {"name": ")" + name + R"("}, "choices": [)" + lines + "]}";
}

class TuningFile : public OneRung {
 protected:
  void SetUp() override { setenv("XDG_CONFIG_HOME", folder_.c_str(), 1); }
  void TearDown() override {
    backends_.front()->device().use({});  // shared by all tests
    unsetenv("XDG_CONFIG_HOME");
  }

  std::string file(const std::string& name, const std::string& text) {
    return own_.write(name, text);
  }
  /// Returns why a file with that text is refused; empty if it is accepted.
  std::string refusal(const std::string& text, const std::string& kind = "gpu") {
    const auto path = file("refused.json", text);
    const auto why = tests::refusal_of<UsageError>([&] { read_tuning(path, device, kind); });
    const std::string head = "--tuning: " + path + ": ";
    EXPECT_TRUE(why.empty() || why.starts_with(head)) << why;
    EXPECT_EQ(why.find('\n'), std::string::npos) << why;
    return why.substr(std::min(head.size(), why.size()));
  }
  const Tuned& planned() {
    plan();
    return backends_.front()->device().tuned();
  }

  const tests::Folder own_;
  const std::filesystem::path& folder_ = own_.path;
};

TEST_F(TuningFile, SaysFromHowManyBytesOnWhatIsChosen) {
  const auto path = file("mine.json", content(line() + ", " + line("from_bytes", "1048576")));
  const auto tuned = read_tuning(path, device).value();
  EXPECT_TRUE(tuned.source.starts_with(path + " ")) << "and its hash: " << tuned.source;
  ASSERT_EQ(tuned.lines.size(), 2U);
  EXPECT_EQ(tuned.find(Type::f32, Operation::sum, 4095), nullptr);
  EXPECT_EQ(tuned.find(Type::f32, Operation::sum, 4096), tuned.lines.data());
  EXPECT_EQ(tuned.find(Type::f32, Operation::sum, 1 << 20), tuned.lines.data() + 1);
  EXPECT_EQ(tuned.find(Type::f32, Operation::max, 1 << 20), nullptr);
  EXPECT_EQ(tuned.find(Type::f64, Operation::sum, 1 << 20), nullptr);
  const auto& first = tuned.lines.front();
  EXPECT_EQ(std::tuple(first.block, first.vectors, first.per_unit), std::tuple(256U, 4U, 2));
}

TEST_F(TuningFile, SaysOfACpuHowManyThreadsReadInWhichWay) {
  const auto path =
      file("mine.json", content(host_line("65536", 2, 2, 1024) + ", " + host_line("0", 1, 4, 0)));
  const auto tuned = read_tuning(path, device, "cpu").value();
  EXPECT_TRUE(tuned.lines.empty());
  const auto at = [&](std::size_t bytes) {  // independent of their order in the file
    const auto* found = tuned.find_host(Type::f32, Operation::sum, bytes);
    return std::tuple(found->workers, found->pieces, found->prefetch);
  };
  EXPECT_EQ(at(65535), std::tuple(1U, 4U, 0U));
  EXPECT_EQ(at(65536), std::tuple(2U, 2U, 1024U));
  EXPECT_EQ(tuned.find_host(Type::f64, Operation::sum, 65536), nullptr);
  EXPECT_EQ(tuned.find_host(Type::f32, Operation::max, 65536), nullptr);
}

TEST_F(TuningFile, IsRefusedInOneSentence) {
  EXPECT_EQ(refusal(content(line())), "");
  EXPECT_EQ(refusal(content(host_line("0", 2, 2, 4096)), "cpu"), "");
  EXPECT_EQ(refusal(R"({"schema": 2})"), "is of another schema than 1");
  for (const auto* text : {"", "[]", "{}", R"({"schema": 1, "choices": []})"})
    EXPECT_TRUE(refusal(text).starts_with("is no file of ./study tune: ")) << text;
  for (const auto& [field, value, words] :
       {std::tuple{"block", "96", "block is 96, no power of two"},
        {"block", "256.5", "block is 256.5: from 32 to 1024"},
        {"vectors", "0", "vectors is 0: from 1 to 64"},
        {"per_unit", "18446744073709551615", "per_unit is 18446744073709551615: from -1 to 1024"},
        {"type", "\"f12\"", "'f12' is unknown"},
        {"op", "\"mean\"", "'mean' is unknown"}})
    EXPECT_EQ(refusal(content(line(field, value))), words);
  for (const auto* field : {"type", "op", "from_bytes", "block", "vectors", "per_unit"})
    EXPECT_NE(refusal(content(line(field))), "") << field;
  EXPECT_EQ(refusal(content(host_line("0", 0, 2, 0)), "cpu"), "workers is 0: from 1 to 65536");
  EXPECT_EQ(refusal(content(host_line("0", 1, 3, 0)), "cpu"), "pieces is 3: 1, 2 or 4");
  EXPECT_EQ(refusal(content(host_line("0", 1, 4, 64)), "cpu"),
            "prefetch: only two pieces have one");
}

TEST_F(TuningFile, IsTheOneThatIsGivenElseTheUsualOneElseNone) {
  EXPECT_TRUE(planned().source.empty());
  const auto usual = file("reduction-ladder/a_fake_device.json", content(line()));
  EXPECT_TRUE(planned().source.starts_with(usual + " "));
  selection_.tuning_file = file("mine.json", content(line("block", "512")));
  EXPECT_EQ(planned().lines.at(0).block, 512U);
  for (const std::string& wrong :
       {std::string(folder_ / "missing.json"), file("other.json", content(line(), "another"))}) {
    selection_.tuning_file = wrong;
    EXPECT_THROW(planned(), UsageError) << wrong;
  }
}

TEST_F(TuningFile, LiesInTheHomesFolderWhereNoOtherIsNamed) {
  const char* const home = std::getenv("HOME");
  const std::string before = home != nullptr ? home : "";
  file(".config/reduction-ladder/a_fake_device.json", content(line()));
  unsetenv("XDG_CONFIG_HOME");
  setenv("HOME", folder_.c_str(), 1);
  EXPECT_EQ(planned().lines.size(), 1U);
  backends_.front()->device().use({});
  unsetenv("HOME");
  EXPECT_TRUE(planned().lines.empty());
  if (home != nullptr) setenv("HOME", before.c_str(), 1);
}

}  // namespace
}  // namespace ladder::bench
