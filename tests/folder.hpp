#pragma once

// A temporary folder for one test.

#include <filesystem>
#include <fstream>
#include <string>

#include <unistd.h>

namespace ladder::tests {

/// Folder with a space in its name; the destructor removes it.
class Folder {
 public:
  Folder() { std::filesystem::create_directories(path); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path); }
  /// Writes a file, creating missing folders, and returns its path.
  std::string write(const std::string& name, const std::string& content) const {
    std::filesystem::create_directories((path / name).parent_path());
    std::ofstream(path / name, std::ios::binary) << content;
    return path / name;
  }

  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("ladder test " + std::to_string(getpid()));
};

}  // namespace ladder::tests
