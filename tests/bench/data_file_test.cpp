// --data=file:PATH: what is read, and the sentence for each thing that cannot be.

#include "bench/plan/data_file.hpp"

#include <cstring>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "bench/cli/parse.hpp"

namespace ladder::bench {
namespace {

namespace fs = std::filesystem;

class DataFiles : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("ladder data " + std::to_string(getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string write(const std::string& name, const std::string& bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
    return path(name);
  }
  /// A .npy file of the given shape before `elements` floats.
  std::string npy(const std::string& shape, std::size_t elements, char version = 1) const {
    return headed("{'descr': '<f4', 'fortran_order': False, 'shape': " + shape + ", }", elements,
                  version);
  }
  std::string headed(std::string header, std::size_t elements, char version = 1) const {
    header.resize(118, ' ');
    std::string bytes("\x93NUMPY");
    bytes += version;
    bytes += std::string("\0\x76\0", 3);
    if (version > 1) bytes += std::string("\0\0", 2);
    return write("some.npy", bytes + header + std::string(4 * elements, '\1'));
  }
  static std::size_t elements(const std::string& path) {
    return DataFile(path, Type::f32).elements();
  }
  /// Expects a refusal that ends with the given words.
  static void refuses(const std::string& path, const std::string& words) {
    try {
      const DataFile file(path, Type::f32);
      ADD_FAILURE() << "took " << file.elements() << " elements; expected: " << words;
    } catch (const UsageError& error) {
      EXPECT_EQ(error.what(), "--data=file:" + path + ": " + words);
    }
  }

  fs::path folder_;
};

TEST_F(DataFiles, AreRawElementsOrNpyOfAnyShapeAndVersion) {
  EXPECT_EQ(elements(write("raw", std::string(12, '\1'))), 3U);
  EXPECT_EQ(elements(npy("(3,)", 3)), 3U);
  EXPECT_EQ(elements(npy("(3, 4)", 12)), 12U);
  EXPECT_EQ(elements(npy("(2,1,3)", 6, 2)), 6U);
  EXPECT_EQ(elements(npy("()", 1, 3)), 1U);
}

TEST_F(DataFiles, HaveAsManyElementsAsTheirShapeSays) {
  const std::string shape = "the .npy header's shape ";
  refuses(npy("(536870912,)", 1000),
          shape + "has 536870912 elements of 4 bytes, but 4000 bytes follow");
  refuses(npy("(3,)", 4), shape + "has 3 elements of 4 bytes, but 16 bytes follow");
  refuses(npy("(2, 2)", 3), shape + "has 4 elements of 4 bytes, but 12 bytes follow");
  refuses(npy("(-1,)", 1), shape + "(-1,) has a negative dimension");
  refuses(npy("(4611686018427387904,)", 0),
          shape + "has 4611686018427387904 elements of 4 bytes, but 0 bytes follow");
  refuses(npy("(4611686018427387905,)", 1),
          shape + "has 4611686018427387905 elements of 4 bytes, but 4 bytes follow");
  refuses(npy("(4294967296, 4294967296)", 1),
          shape + "(4294967296, 4294967296) has more elements than a number can count");
  refuses(npy("(99999999999999999999,)", 1),
          shape + "(99999999999999999999,) has more elements than a number can count");
  refuses(npy("(0,)", 0), "holds no elements");
}

TEST_F(DataFiles, HaveAHeaderThatCanBeRead) {
  refuses(npy("(3,)", 3, 4), "is .npy version 4, which nobody here can read");
  refuses(npy("(3; 4)", 12), "the .npy header's shape (3; 4) cannot be understood");
  refuses(npy("3", 3), "the .npy header has no shape that can be understood");
  refuses(headed("{'descr': '<f4', 'shape': (3,)}", 3),
          "the .npy header has no fortran_order that can be understood");
  refuses(headed("{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (3,)}", 3),
          "holds a structure, but f32 is <f4; choose the type with --types");
  refuses(headed("{'descr': '<f4', 'fortran_order': True, 'shape': (3, 1)}", 3),
          "is in Fortran order; save it in C order");
  refuses(write("cut.npy", std::string("\x93NUMPY\1\0\x76\0", 10) + "{'descr"),
          "the .npy header is cut short");
  refuses(write("long.npy", std::string("\x93NUMPY\2\0\xff\xff\0\0", 12) + std::string(70000, '(')),
          "the .npy header has 65535 bytes, more than 10000");
  for (const auto& [size, bytes] :
       {std::pair{std::string("\0\0\1\0", 4), "65536"}, {std::string("\0\0\0\1", 4), "16777216"}}) {
    refuses(
        write("longer.npy", "\x93NUMPY" + std::string("\2\0", 2) + size + std::string(70000, '(')),
        std::string("the .npy header has ") + bytes + " bytes, more than 10000");
  }
  refuses(write("magic.npy", "\x93NUMPY"), "the .npy header is cut short");
  refuses(write("not.npy", std::string(8, '\1')),
          "is named .npy, but does not begin as such a file does");
}

TEST_F(DataFiles, HaveAHeaderOfAnyLengthThatIsAllowed) {
  const auto filled = [this](const std::string& begins, char with, const std::string& ends) {
    const auto header = begins + std::string(9990 - begins.size() - ends.size(), with) + ends;
    const std::string size{static_cast<char>(9990 % 256), static_cast<char>(9990 / 256)};
    return write("filled.npy", "\x93NUMPY" + std::string("\1\0", 2) + size + header);
  };
  refuses(filled("{'descr': '", 'x', ""), "the .npy header has no descr that can be understood");
  refuses(filled("{'descr': '<f4', 'fortran_order': False, 'shape': (1", '1', ",)}"),
          "the .npy header's shape (1" + std::string(9935, '1') +
              ",) has more elements than a number can count");
  refuses(filled("{'descr': '<f4', 'fortran_order': False, 'shape': (", ' ', "x)}"),
          "the .npy header's shape (" + std::string(9936, ' ') + "x) cannot be understood");
}

TEST_F(DataFiles, AreRegularFilesWithSomethingInThem) {
  refuses(path("nowhere"), "cannot be read: No such file or directory");
  refuses(folder_.string(), "is a directory, not a regular file");
  ASSERT_EQ(mkfifo(path("fifo").c_str(), 0600), 0);
  refuses(path("fifo"), "is a FIFO, not a regular file");
  refuses("/dev/zero", "is a device, not a regular file");
  refuses("/dev/null", "is a device, not a regular file");
  refuses(write("empty", ""), "is empty");
  const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, path("socket").c_str(), sizeof address.sun_path - 1);
  ASSERT_EQ(bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  refuses(path("socket"), "is a socket, not a regular file");
  close(socket);
}

TEST_F(DataFiles, AreNotLargerThanTheMachinesMemory) {
  const auto file = write("sparse", "x");
  std::error_code error;
  fs::resize_file(file, std::uintmax_t{1} << 43, error);
  ASSERT_FALSE(error) << error.message();
  EXPECT_THROW(DataFile(file, Type::f32), UsageError);
}

TEST_F(DataFiles, AreOfNoOtherFormat) {
  const std::string rest = ", not raw elements or .npy";
  const std::string words(16, '\1');
  refuses(write("a.npz", words), "holds a zip archive (.npz)" + rest);
  refuses(write("a.csv", words), "holds comma-separated text" + rest);
  refuses(write("a.txt", words), "holds text" + rest);
  refuses(write("a.npy.gz", words), "holds gzip data" + rest);
  refuses(write("zip", "PK\3\4" + words), "holds a zip archive (.npz)" + rest);
  refuses(write("gzip", "\x1f\x8b\x08\1" + words), "holds gzip data" + rest);
}

}  // namespace
}  // namespace ladder::bench
