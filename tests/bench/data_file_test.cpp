// --data=file:PATH: the elements read, and the message for each file that is refused.

#include <cstdint>
#include <filesystem>
#include <vector>

#include <gtest/gtest.h>

#include "bench/cli/selection.hpp"
#include "bench/plan/plan.hpp"
#include "bench/text.hpp"
#include "tests/folder.hpp"
#include "tests/refusal.hpp"

namespace ladder::bench {
namespace {

class DataFiles : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.path / name; }
  std::string write(const std::string& name, const std::string& bytes) const {
    return folder_.write(name, bytes);
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
    return read_data_file(path, Type::f32).size() / sizeof(float);
  }
  /// Expects a refusal that ends with the given words.
  static void refuses(const std::string& path, const std::string& words) {
    EXPECT_EQ(tests::refusal_of<UsageError>([&] { elements(path); }),
              "--data=file:" + path + ": " + words);
  }

  const tests::Folder folder_;
};

TEST_F(DataFiles, AreRawElementsOrNpyOfAnyShape) {
  EXPECT_EQ(elements(write("raw", std::string(12, '\1'))), 3U);
  EXPECT_EQ(elements(npy("(3,)", 3)), 3U);
  EXPECT_EQ(elements(npy("(3, 4)", 12)), 12U);
  EXPECT_EQ(elements(npy("()", 1)), 1U);
}

TEST_F(DataFiles, HaveAsManyElementsAsTheirShapeSays) {
  for (const auto& [shape, held, words] :
       {std::tuple{"(3,)", std::size_t{4}, "[3]"},
        {"(2, 2)", 3U, "[2,2]"},
        {"(-1,)", 1U, "[-1]"},
        {"(4611686018427387905,)", 1U, "[4611686018427387905]"},  // 2^64 + 4 bytes
        {"(99999999999999999999,)", 1U, "[1e+20]"}})
    refuses(npy(shape, held), concat("has the .npy shape ", words, " of 4 bytes each, but ",
                                     4 * held, " bytes follow"));
  refuses(npy("(0,)", 0), "holds no elements");
}

TEST_F(DataFiles, HaveAHeaderThatCanBeRead) {
  const std::string unclear = "has a .npy header that cannot be understood";
  refuses(npy("(3,)", 3, 2), "is .npy version 2, not 1");
  refuses(npy("(3; 4)", 12), unclear);
  refuses(headed("{'descr': '<f4', 'shape': (3,)}", 3), unclear);
  refuses(headed("{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (3,)}", 3),
          R"(holds [["x","<f4"]], but f32 is <f4; choose the type with --types)");
  refuses(headed("{'descr': '<f4', 'fortran_order': True, 'shape': (3, 1)}", 3),
          "is in Fortran order; save it in C order");
  refuses(write("cut.npy", std::string("\x93NUMPY\1\0\x76\0", 10) + "{'descr"),
          "has a .npy header that is cut short");
  refuses(write("not.npy", std::string(8, '\1')),
          "is named .npy, but does not begin as such a file does");
}

TEST_F(DataFiles, AreRegularFilesWithSomethingInThem) {
  refuses(path("nowhere"), "cannot be read: No such file or directory");
  refuses(folder_.path.string(), "is not a regular file");
  refuses("/dev/zero", "is not a regular file");
  refuses(write("odd", "12345"), "its size is no multiple of 4 bytes, one f32");
  const auto sparse = write("sparse", "x");
  std::filesystem::resize_file(sparse, std::uintmax_t{1} << 43);
  refuses(sparse, "is larger than this machine's memory");
}

TEST_F(DataFiles, OfOffsetsAreRefusedByTheirOwnOption) {
  const auto refuses_offsets = [](const std::string& file, const std::string& words) {
    const auto shape = read_shapes("segments:file:" + file).front();
    EXPECT_EQ(tests::refusal_of<UsageError>([&] { groups_of(shape, 0, 1); }),
              "--shape=segments:file:" + file + ": " + words);
  };
  const auto offsets = [&](std::vector<std::int64_t> values) {
    return write("offsets", {reinterpret_cast<const char*>(values.data()), 8 * values.size()});
  };
  refuses_offsets(path("nowhere"), "cannot be read: No such file or directory");
  refuses_offsets(offsets({0, 5, 3}), "no offsets from 0 on that never descend");
  refuses_offsets(offsets({0, std::int64_t{1} << 62}), "its last offset is too large a number");
}

}  // namespace
}  // namespace ladder::bench
