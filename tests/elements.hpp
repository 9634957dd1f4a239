#pragma once

// Element types and an iterator like those of the header's callers, for its tests in each model.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <vector>

#if defined(__CUDACC__) || defined(__HIPCC__)
#define LADDER_TEST_FUNCTION __host__ __device__
#else
#define LADDER_TEST_FUNCTION
#endif

namespace ladder {

/// Content of a result's memory before a call writes it.
inline constexpr std::uint64_t no_result = 0x5A5A5A5A5A5A5A5A;

/// Numbers from -100 to 155, scrambled so that no indexing mistake preserves their order.
inline std::vector<int> counted(std::size_t n) {
  std::vector<int> values(n);
  for (std::size_t i = 0; i < n; ++i)
    values[i] = static_cast<int>(static_cast<std::uint32_t>(i) * 2654435761U >> 24) - 100;
  return values;
}

/// A 16-bit number like those of frameworks: a class that converts from and to float.
struct Number {
  std::uint16_t upper;  ///< upper half of a float
  Number() = default;
  LADDER_TEST_FUNCTION Number(float value) {
    std::uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    upper = static_cast<std::uint16_t>(bits >> 16);
  }
  LADDER_TEST_FUNCTION operator float() const {
    const std::uint32_t bits = std::uint32_t{upper} << 16;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
  }
};

namespace user {

/// Functions of the caller's own with names of the header's: it must not find them by the type of
/// an argument.
template <class A, class T>
A cast(const T&) = delete;
template <class A>
A cut(const A&) = delete;
template <class A, class T>
A joined(const T&) = delete;
template <class T>
bool is_null(const T&) = delete;
template <class T, class Count>
T split(const T&, Count) = delete;
template <class... T>
void leave(T&&...) = delete;
template <class... T>
bool taken(T&&...) = delete;
template <class... T>
void hand_over(T&&...) = delete;
template <class... T>
int value_of(T&&...) = delete;
template <class... T>
void stage(T&&...) = delete;
template <class... T>
void collect(T&&...) = delete;
template <class... T>
bool launch(T&&...) = delete;

/// A type without a default constructor, usable only through its order.
struct Version {
  int major, minor;
  LADDER_TEST_FUNCTION Version(int first, int second) : major(first), minor(second) {}
  LADDER_TEST_FUNCTION friend bool operator<(const Version& a, const Version& b) {
    return a.major != b.major ? a.major < b.major : a.minor < b.minor;
  }
  bool operator==(const Version&) const = default;
};

}  // namespace user
using user::Version;

/// An iterator that returns a proxy reference, as those of thrust::device_vector do.
template <class T>
struct Places {
  using iterator_category = std::random_access_iterator_tag;
  using value_type = T;
  using difference_type = std::ptrdiff_t;
  using pointer = T*;
  struct reference {
    const T* place;
    LADDER_TEST_FUNCTION explicit reference(const T* at) : place(at) {}
    LADDER_TEST_FUNCTION operator T() const { return *place; }
  };
  const T* x;
  LADDER_TEST_FUNCTION reference operator[](std::ptrdiff_t i) const { return reference(x + i); }
};

/// An 8-byte type with an alignment of 4.
struct Pair {
  float value;
  int index;
};
/// Selects the larger value; on a tie, the lower index.
struct LargerPair {
  LADDER_TEST_FUNCTION Pair operator()(const Pair& a, const Pair& b) const {
    return a.value < b.value || (a.value == b.value && b.index < a.index) ? b : a;
  }
};

}  // namespace ladder
