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

  /// What a line takes.
  std::size_t total_width() const {
    std::size_t sum = 0;
    for (const auto one : widths_) sum += one + 2;
    return sum == 0 ? 0 : sum - 2;
  }

  /// Whether the column with that head says `text` in each row that says anything there.
  bool says_only(std::string_view head, std::string_view text) const {
    const auto i = place(head);
    return i < sides_.size() &&
           std::ranges::all_of(rows_.begin() + 1, rows_.end(), [&](const Line& row) {
             return row.cells[i].empty() || row.cells[i] == text;
           });
  }

  /// Leaves the column with that head out; nothing happens where there is none.
  void drop(std::string_view head) {
    const auto i = static_cast<std::ptrdiff_t>(place(head));
    if (i == std::ssize(sides_)) return;
    for (auto& row : rows_) row.cells.erase(row.cells.begin() + i);
    widths_.erase(widths_.begin() + i);
    sides_.erase(static_cast<std::size_t>(i), 1);
  }

  /// Gives each cell below that head its `shorter` text.
  template <class Shorter>
  void shorten(std::string_view head, const Shorter& shorter) {
    const auto i = place(head);
    if (i == sides_.size()) return;
    widths_[i] = 0;
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      auto& cell = rows_[row].cells[i];
      if (row > 0) cell = shorter(cell);
      widths_[i] = std::max(widths_[i], width(cell));
    }
  }

  void print(std::ostream& out) const { print(out, 0, ~std::size_t{0}); }

  /// In lines of at most so many columns where that can be: what does not fit comes below, again
  /// behind the first `kept` of its cells.
  void print(std::ostream& out, std::size_t kept, std::size_t columns) const {
    for (std::size_t from = kept, to = kept; to < sides_.size(); from = to) {
      std::size_t room = 0;
      for (std::size_t i = 0; i < kept; ++i) room += widths_[i] + 2;
      do room += widths_[to] + 2;
      while (++to < sides_.size() && room + widths_[to] <= columns);
      if (from != kept) out << "\n";
      for (const auto& row : rows_) print_line(out, row, kept, from, to);
    }
  }

 private:
  struct Line {
    std::vector<std::string> cells;
    bool red;
  };
  /// The first `kept` cells, and those from `from` up to `to`.
  void print_line(std::ostream& out, const Line& row, std::size_t kept, std::size_t from,
                  std::size_t to) const {
    std::string line;
    const std::size_t first = kept == 0 ? from : 0;
    for (std::size_t i = first; i < to; i = i + 1 == kept ? from : i + 1) {
      const std::string blanks(widths_[i] - width(row.cells[i]), ' ');
      line += (i == first ? "" : "  ") +
              (sides_[i] == 'r' ? blanks + row.cells[i] : row.cells[i] + blanks);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out << (row.red ? "\033[31m" + line + "\033[0m" : line) << "\n";
  }

  /// The column with that head; the number of columns where there is none.
  std::size_t place(std::string_view head) const {
    const auto& heads = rows_.front().cells;
    return static_cast<std::size_t>(std::ranges::find(heads, head) - heads.begin());
  }
  std::string sides_;
  std::vector<std::size_t> widths_;
  std::vector<Line> rows_;
};

}  // namespace ladder::bench
