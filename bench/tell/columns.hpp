#pragma once

// Text in aligned columns.

#include <algorithm>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace ladder::bench {

/// Width on a terminal: UTF-8 continuation bytes take no room.
inline std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

class Columns {
 public:
  /// `sides` has an 'l' or an 'r' for each column.
  Columns(std::vector<std::string> heads, std::string sides) : sides_(std::move(sides)) {
    add(std::move(heads));
  }

  void add(std::vector<std::string> cells, bool red = false) {
    widths_.resize(std::max(widths_.size(), cells.size()));
    for (std::size_t i = 0; i < cells.size(); ++i)
      widths_[i] = std::max(widths_[i], width(cells[i]));
    rows_.push_back({std::move(cells), red});
  }

  void print(std::ostream& out) const {
    for (const auto& row : rows_) {
      std::string line;
      for (std::size_t i = 0; i < row.cells.size(); ++i) {
        const std::string blanks(widths_[i] - width(row.cells[i]), ' ');
        line += (i == 0 ? "" : "  ") +
                (sides_[i] == 'r' ? blanks + row.cells[i] : row.cells[i] + blanks);
      }
      line.erase(line.find_last_not_of(' ') + 1);
      out << (row.red ? "\033[31m" + line + "\033[0m" : line) << "\n";
    }
  }

 private:
  struct Line {
    std::vector<std::string> cells;
    bool red;
  };
  std::string sides_;
  std::vector<std::size_t> widths_;
  std::vector<Line> rows_;
};

}  // namespace ladder::bench
