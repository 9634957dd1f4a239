#pragma once

// Sums on tensor cores (compute capability 8.0): a matrix times a matrix of ones has the row sums
// in every column.

#include <bit>
#include <cstdint>
#include <type_traits>

#include <cuda_runtime.h>

#include "common/gpu/tree.hpp"
#include "common/gpu/vector.hpp"
#include "common/half.hpp"
#include "cuda/target.hpp"

namespace ladder::cuda {

/// Row sums of a warp's matrix, 16 rows (8 of double); each lane holds the instruction's fragment
/// (PTX ISA, "matrix fragments for mma").
template <class T>
struct RowSums {
  using Sum = std::conditional_t<is_floating<T>, std::conditional_t<sizeof(T) == 8, double, float>,
                                 std::int32_t>;
  Sum at[sizeof(T) == 8 ? 2 : 4] = {};
};

/// Accumulator roundings per element of a lane. For 2-byte types a row takes 16 elements when each
/// lane gives 8, added to the sum in one or two groups. Bits below the last place of the largest
/// addend are truncated, in each addend and the result. That is twice an addition's error, 20 times
/// per group of 8 (Fasi, Higham, Mikaitis, Pranesh, "Numerical behavior of NVIDIA tensor cores",
/// PeerJ CS 7:e330, 2021). Double rounds to nearest, 8 times when each lane gives 2.
template <class T>
inline constexpr unsigned roundings = sizeof(T) == 8 ? 4 : 5;

/// Adds one vector per lane, whose elements all belong to two rows. All 32 lanes must call it.
/// Integers wrap.
template <class T>
__device__ void add_to_rows(RowSums<T>& sums, const Vector<T>& vector) {
  auto& s = sums.at;
  if constexpr (target < 80) {
    (void)s, (void)vector;
  } else if constexpr (sizeof(T) == 8) {
    const auto add = [&](double element) {
      asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
                   : "+d"(s[0]), "+d"(s[1])
                   : "d"(element), "d"(1.0));
    };
    const auto [x, y] = std::bit_cast<double2>(vector);
    add(x), add(y);
  } else if constexpr (sizeof(T) == 1) {
    asm volatile(
        "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 "
        "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%8}, {%0,%1,%2,%3};"
        : "+r"(s[0]), "+r"(s[1]), "+r"(s[2]), "+r"(s[3])
        : "r"(vector.x), "r"(vector.y), "r"(vector.z), "r"(vector.w), "r"(0x01010101));
  } else if constexpr (std::is_same_v<T, Half>) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
        "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%8}, {%0,%1,%2,%3};"
        : "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3])
        : "r"(vector.x), "r"(vector.y), "r"(vector.z), "r"(vector.w), "r"(0x3C003C00));
  } else {
    static_assert(std::is_same_v<T, Bfloat16>);
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
        "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%8}, {%0,%1,%2,%3};"
        : "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3])
        : "r"(vector.x), "r"(vector.y), "r"(vector.z), "r"(vector.w), "r"(0x3F803F80));
  }
}

/// Share of the calling lane: each row is held by four lanes, in two columns each.
template <class Op, class T>
__device__ typename Op::value share(const RowSums<T>& sums) {
  if (threadIdx.x % 4 != 0) return Op::identity();
  if constexpr (sizeof(T) == 8)
    return sums.at[0];
  else
    return Op{}(sums.at[0], sums.at[2]);
}

}  // namespace ladder::cuda
