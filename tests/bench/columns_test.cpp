#include "bench/output/columns.hpp"

#include <sstream>

#include <gtest/gtest.h>

#include "bench/output/row_text.hpp"

namespace ladder::bench {
namespace {

std::string printed(const Columns& columns) {
  std::ostringstream out;
  columns.print(out);
  return out.str();
}

Columns some() {
  Columns columns({"rung", "time", "% peak"}, "lrr");
  columns.add({"r02_a_long_name", "7 µs", "unknown"});
  columns.add({"r03", "", ""});
  return columns;
}

TEST(Columns, SayHowWideTheyAre) {
  EXPECT_EQ(some().total_width(), 15U + 2 + 4 + 2 + 7);
  EXPECT_EQ(printed(some()),
            "rung             time   % peak\nr02_a_long_name  7 µs  unknown\nr03\n");
}

TEST(Columns, CanBeLeftOut) {
  Columns columns = some();
  columns.drop("time");
  columns.drop("nothing");
  EXPECT_EQ(printed(columns), "rung              % peak\nr02_a_long_name  unknown\nr03\n");
  columns.drop("% peak");
  columns.drop("rung");
  EXPECT_EQ(columns.total_width(), 0U);
}

TEST(Columns, CanBeShortened) {
  Columns columns = some();
  columns.shorten("rung", [](const std::string& cell) { return cell.substr(0, 3); });
  EXPECT_EQ(printed(columns), "rung  time   % peak\nr02   7 µs  unknown\nr03\n");
}

TEST(Columns, GoOnBelowWhereThereIsNoRoom) {
  Columns columns({"rung", "2^10", "2^11", "2^12"}, "lrrr");
  columns.add({"r02", "1", "2", "3"});
  std::ostringstream out;
  columns.print(out, 1, 16);
  EXPECT_EQ(out.str(), "rung  2^10  2^11\nr02      1     2\n\nrung  2^12\nr02      3\n");
  std::ostringstream narrow;
  columns.print(narrow, 1, 3);
  EXPECT_EQ(narrow.str(),
            "rung  2^10\nr02      1\n\nrung  2^11\nr02      2\n\nrung  2^12\nr02      3\n")
      << "one column at least";
}

TEST(Columns, SayWhetherThereIsAnythingInThem) {
  Columns columns = some();
  EXPECT_TRUE(columns.says_only("% peak", "unknown"));
  EXPECT_FALSE(columns.says_only("nothing", "unknown"));
  columns.add({"r04", "8 µs", "12"});
  EXPECT_FALSE(columns.says_only("% peak", "unknown"));
}

TEST(Results, AreThreeAtMostAndACount) {
  Row row;
  EXPECT_EQ(results_text(row), "no right result");
  row.results = {"1", "2"};
  EXPECT_EQ(results_text(row), "1, 2");
  row.results = {"1", "2", "3", "4", "5"};
  EXPECT_EQ(results_text(row), "1, 2, 3 and 2 more");
}

}  // namespace
}  // namespace ladder::bench
