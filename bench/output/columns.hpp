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

/// A column of a table: its head, then a cell for each row.
struct Column {
  std::vector<std::string> cells;
  bool right = false;  ///< its cells end below one another

  std::size_t room() const { return width(std::ranges::max(cells, {}, width)); }
  /// True where each cell has that text, or none.
  bool has_only(std::string_view text) const {
    return std::all_of(cells.begin() + 1, cells.end(),
                       [&](const auto& cell) { return cell.empty() || cell == text; });
  }
};

class Columns {
 public:
  /// `sides` has an 'l' or an 'r' for each column.
  Columns(const std::vector<std::string>& heads, std::string_view sides) {
    for (std::size_t i = 0; i < heads.size(); ++i)
      columns_.push_back({{heads[i]}, sides[i] == 'r'});
  }

  void add(const std::vector<std::string>& cells) {
    for (std::size_t i = 0; i < cells.size(); ++i) columns_[i].cells.push_back(cells[i]);
  }

  void drop(std::string_view head) {
    std::erase_if(columns_, [&](const Column& column) { return column.cells[0] == head; });
  }
  /// The same, if each cell of it has that text, or none.
  void drop_if_only(std::string_view head, std::string_view text) {
    std::erase_if(columns_, [&](const Column& column) {
      return column.cells[0] == head && column.has_only(text);
    });
  }

  void print(std::ostream& out) const {
    std::vector<std::size_t> rooms;
    for (const auto& column : columns_) rooms.push_back(column.room());
    for (std::size_t row = 0; row < columns_.front().cells.size(); ++row) {
      std::string line;
      for (std::size_t i = 0; i < columns_.size(); ++i) {
        const auto& cell = columns_[i].cells[row];
        const std::string blanks(rooms[i] - width(cell), ' ');
        line += (i == 0 ? "" : "  ") + (columns_[i].right ? blanks + cell : cell + blanks);
      }
      line.erase(line.find_last_not_of(' ') + 1);
      out << line << "\n";
    }
  }

 private:
  std::vector<Column> columns_;
};

}  // namespace ladder::bench
