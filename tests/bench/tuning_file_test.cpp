// Files of choices for the tuned rung: what is taken from them, from where, and what is refused.

#include <cstdlib>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "bench/plan/plan.hpp"
#include "one_rung.hpp"
#include "tests/folder.hpp"
#include "tests/refusal.hpp"

namespace ladder::bench {
namespace {

const std::string device = "a fake device";

std::string line(const std::string& change = "", const std::string& field = "block") {
  std::string fields;
  for (const auto& [name, value] : {std::pair<std::string, std::string>{"type", "\"f32\""},
                                    {"op", "\"sum\""},
                                    {"from_bytes", "4096"},
                                    {"block", "256"},
                                    {"vectors", "4"},
                                    {"per_unit", "2"}}) {
    if (change == "left out" && name == field) continue;
    fields += (fields.empty() ? "" : ", ") + ("\"" + name + "\": ") +
              (name == field && !change.empty() ? change : value);
  }
  return "{" + fields + "}";
}

std::string content(const std::string& lines, const std::string& name = device) {
  return R"({"schema": 1, "device": {"name": ")" + name + R"("}, "choices": [)" + lines + "]}";
}

class TuningFile : public OneRung {
 protected:
  TuningFile() : OneRung("r04", "2^10") {}
  void SetUp() override {
    if (const char* before = std::getenv("XDG_CONFIG_HOME")) config_ = before;
    setenv("XDG_CONFIG_HOME", folder_.c_str(), 1);
  }
  void TearDown() override {
    backends_.front()->device().use({});  // which is the same one in each test
    if (config_.empty()) {
      unsetenv("XDG_CONFIG_HOME");
    } else {
      setenv("XDG_CONFIG_HOME", config_.c_str(), 1);
    }
  }

  std::string file(const std::string& name, const std::string& text) {
    return own_.write(name, text);
  }
  /// Why a file of that text is refused.
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
  std::string config_;
};

TEST_F(TuningFile, SaysFromHowManyBytesOnWhatIsChosen) {
  const auto path = file("mine.json", content(line() + ", " + line("1048576", "from_bytes")));
  const auto tuned = read_tuning(path, device).value();
  EXPECT_TRUE(tuned.source.starts_with(path + " ")) << "and its hash: " << tuned.source;
  EXPECT_GT(tuned.source.size(), path.size() + 5);
  ASSERT_EQ(tuned.lines.size(), 2U);
  EXPECT_EQ(tuned.find(Type::f32, Operation::sum, 4095), nullptr);
  EXPECT_EQ(tuned.find(Type::f32, Operation::sum, 4096), tuned.lines.data());
  EXPECT_EQ(tuned.find(Type::f32, Operation::sum, 1 << 20), tuned.lines.data() + 1);
  EXPECT_EQ(tuned.find(Type::f32, Operation::max, 1 << 20), nullptr);
  EXPECT_EQ(tuned.find(Type::f64, Operation::sum, 1 << 20), nullptr);
  const auto& first = tuned.lines.front();
  EXPECT_EQ(first.block, 256U);
  EXPECT_EQ(first.vectors, 4U);
  EXPECT_EQ(first.per_unit, 2);
}

TEST_F(TuningFile, LiesInTheHomesFolderWhereNoOtherIsNamed) {
  const char* const home = std::getenv("HOME");
  const std::string before = home != nullptr ? home : "";
  file(".config/reduction-ladder/a_fake_device.json", content(line()));
  unsetenv("XDG_CONFIG_HOME");
  setenv("HOME", folder_.c_str(), 1);
  EXPECT_EQ(planned().lines.size(), 1U);
  backends_.front()->device().use({});
  setenv("XDG_CONFIG_HOME", "", 1);  // which is none, by its own definition
  EXPECT_EQ(planned().lines.size(), 1U);
  backends_.front()->device().use({});
  unsetenv("HOME");
  EXPECT_TRUE(planned().lines.empty());
  if (home != nullptr) setenv("HOME", before.c_str(), 1);
}

std::string host_line(const std::string& from_bytes, const std::string& rest) {
  return R"({"type": "f32", "op": "sum", "from_bytes": )" + from_bytes + ", " + rest + "}";
}

TEST_F(TuningFile, SaysOfACpuHowManyThreadsReadInWhichWay) {
  const auto path = file(
      "mine.json", content(host_line("65536", R"("workers": 2, "pieces": 2, "prefetch": 1024)") +
                           ", " + host_line("0", R"("workers": 1, "pieces": 4, "prefetch": 0)")));
  const auto tuned = read_tuning(path, device, "cpu").value();
  EXPECT_TRUE(tuned.lines.empty());
  const auto* few = tuned.find_host(Type::f32, Operation::sum, 65535);
  ASSERT_NE(few, nullptr) << "whatever their order in the file";
  EXPECT_EQ(few->workers, 1U);
  EXPECT_EQ(few->pieces, 4U);
  EXPECT_EQ(few->prefetch, 0U);
  const auto* many = tuned.find_host(Type::f32, Operation::sum, 65536);
  ASSERT_NE(many, nullptr);
  EXPECT_EQ(many->workers, 2U);
  EXPECT_EQ(many->prefetch, 1024U);
  EXPECT_EQ(tuned.find_host(Type::f64, Operation::sum, 65536), nullptr);
  EXPECT_EQ(tuned.find_host(Type::f32, Operation::max, 65536), nullptr);
  EXPECT_THROW(read_tuning(path, device), UsageError) << "on a GPU";
}

TEST_F(TuningFile, OfACpuIsRefusedInOneSentence) {
  const auto refused = [&](const std::string& rest) {
    return refusal(content(host_line("0", rest)), "cpu");
  };
  EXPECT_EQ(refused(R"("workers": 2, "pieces": 2, "prefetch": 4096)"), "");
  EXPECT_EQ(refused(R"("workers": 0, "pieces": 2, "prefetch": 0)"),
            "workers is 0: from 1 to 65536");
  EXPECT_EQ(refused(R"("workers": 1, "pieces": 3, "prefetch": 0)"), "pieces is 3: 1, 2 or 4");
  EXPECT_EQ(refused(R"("workers": 1, "pieces": 4, "prefetch": 64)"),
            "prefetch: only two pieces have one");
  EXPECT_TRUE(refused(R"("workers": 1)").starts_with("is no file of ./study tune: "));
}

TEST_F(TuningFile, IsRefusedInOneSentence) {
  EXPECT_EQ(refusal(content(line())), "");
  EXPECT_FALSE(read_tuning(file("other.json", content(line(), "another device")), device));
  EXPECT_EQ(refusal(R"({"schema": 2})"), "is of another schema than 1");
  for (const auto* text : {"", "[]", "{}", R"({"schema": 1, "choices": []})",
                           R"({"schema": 1, "device": 7, "choices": []})"})
    EXPECT_TRUE(refusal(text).starts_with("is no file of ./study tune: ")) << text;
  EXPECT_EQ(refusal(content(line("96"))), "block is 96, no power of two");
  EXPECT_EQ(refusal(content(line("256.5"))), "block is 256.5: from 32 to 1024");
  EXPECT_EQ(refusal(content(line("-1", "from_bytes"))).substr(0, 17), "from_bytes is -1:");
  EXPECT_EQ(refusal(content(line("0", "vectors"))), "vectors is 0: from 1 to 64");
  EXPECT_EQ(refusal(content(line("18446744073709551615", "per_unit"))),
            "per_unit is 18446744073709551615: from -1 to 1024");
  EXPECT_EQ(refusal(content(line(std::string(100000, '[') + std::string(100000, ']')))),
            "is nested too deeply");
  EXPECT_EQ(refusal(content(line("\"f12\"", "type"))), "'f12' is unknown");
  EXPECT_EQ(refusal(content(line("\"mean\"", "op"))), "'mean' is unknown");
  for (const auto* field : {"type", "op", "from_bytes", "block", "vectors", "per_unit"})
    EXPECT_NE(refusal(content(line("left out", field))), "") << field;
  EXPECT_THROW(read_tuning(folder_ / "missing.json", device), UsageError);
  EXPECT_THROW(read_tuning(folder_, device), UsageError);
}

TEST_F(TuningFile, IsTheOneThatIsGivenElseTheUsualOneElseNone) {
  EXPECT_TRUE(planned().source.empty());
  const auto usual = file("reduction-ladder/a_fake_device.json", content(line()));
  EXPECT_TRUE(planned().source.starts_with(usual + " "));
  selection_.tuning_file = file("mine.json", content(line("512")));
  EXPECT_TRUE(planned().source.starts_with(selection_.tuning_file + " "));
  EXPECT_EQ(planned().lines.at(0).block, 512U);
  for (const auto& wrong :
       {folder_ / "missing.json",
        std::filesystem::path(file("other.json", content(line(), "another")))}) {
    selection_.tuning_file = wrong;
    EXPECT_THROW(planned(), UsageError) << wrong;
  }
}

TEST_F(TuningFile, ThatIsTheUsualOneIsRefusedAsAnyOther) {
  file("reduction-ladder/a_fake_device.json", content(line("3")));
  EXPECT_THROW(planned(), UsageError);
}

}  // namespace
}  // namespace ladder::bench
