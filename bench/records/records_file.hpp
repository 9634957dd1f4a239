#pragma once

// A file of records, open for appending: one line at a time, one writer at a time.

#include <string>

namespace ladder::bench {

class RecordsFile {
 public:
  /// Opens `path` and locks it until the end. Without a path there is no file, and nothing is
  /// written. Throws `NotPossible` where it cannot be written, holds something else than records,
  /// or another process writes to it.
  explicit RecordsFile(const std::string& path);
  ~RecordsFile();
  RecordsFile(const RecordsFile&) = delete;
  RecordsFile& operator=(const RecordsFile&) = delete;

  /// Appends the line at once. Throws `NotPossible`.
  void append(const std::string& line);
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  int file_ = -1;
  bool torn_ = false;  ///< a kill has cut the last line short
};

}  // namespace ladder::bench
