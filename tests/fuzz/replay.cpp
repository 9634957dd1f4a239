// Gives the files of a folder to a reader: replay READER FOLDER.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <vector>

#include "tests/fuzz/readers.hpp"

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const auto reader = ladder::fuzz::reader_named(argv[1]);
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(argv[2])) paths.push_back(entry);
  std::ranges::sort(paths);
  for (const auto& path : paths) {
    std::ifstream file(path, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    std::cerr << path.string() << "\n";  // the last one where it ends here
    ladder::fuzz::read(reader, bytes);
  }
  std::cout << paths.size() << " inputs\n";
  return paths.empty() ? 1 : 0;
}
