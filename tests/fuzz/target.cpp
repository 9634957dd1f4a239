#include "tests/fuzz/target.hpp"

#include <filesystem>
#include <fstream>

#include <unistd.h>

namespace ladder::fuzz {
namespace {

/// Gone when the program ends as it should.
struct File {
  std::string path;
  File() {
    const std::filesystem::path memory = "/dev/shm";
    const auto folder =
        access(memory.c_str(), W_OK) == 0 ? memory : std::filesystem::temp_directory_path();
    path = folder / ("ladder-fuzz-" + std::to_string(getpid()));
  }
  ~File() { std::remove(path.c_str()); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
};

}  // namespace

const std::string& file_with(std::string_view bytes) {
  static const File file;
  std::ofstream(file.path, std::ios::binary)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return file.path;
}

}  // namespace ladder::fuzz
