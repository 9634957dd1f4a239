#pragma once

// A folder of a test's own.

#include <filesystem>
#include <fstream>
#include <string>

#include <unistd.h>

namespace ladder::tests {

/// Has a space in its name and ends with this object.
class Folder {
 public:
  Folder() { std::filesystem::create_directories(path); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path); }
  /// Writes a file, whose folders need not be there, and returns its path.
  std::string write(const std::string& name, const std::string& content) const {
    std::filesystem::create_directories((path / name).parent_path());
    std::ofstream(path / name, std::ios::binary) << content;
    return path / name;
  }

  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("ladder test " + std::to_string(getpid()));
};

}  // namespace ladder::tests
