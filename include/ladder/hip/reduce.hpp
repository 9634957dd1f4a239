#pragma once

// A reduction on a GPU, to be called from HIP: one launch on the caller's stream, no allocation, no
// synchronization. C++20, HIP 5 or newer, nothing else. docs/calling.md has examples.
//
//   ladder::hip::Workspace workspace;                            // once per stream
//   hipMalloc(&memory, ladder::hip::workspace_bytes());
//   ladder::hip::make_workspace(&workspace, memory, ladder::hip::workspace_bytes(), stream);
//
//   ladder::hip::reduce(workspace, x, n, result, ladder::hip::Sum{}, 0.0f, stream);
//
// How it works: each block leaves its partial and the number of the call in one word of the
// workspace, and the last block waits for the words of the others. One access tells it that a
// partial is there and what it is, so that there is one trip through the L2 cache behind the last
// load, and the counting of calls in the workspace makes the words of the call before worthless.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include <hip/hip_runtime.h>

#include "ladder/hip/platform.hpp"

namespace ladder::hip {

// Operations. Any other function object that can be called on the device with two accumulators will
// do, if it is associative and commutative.

struct Sum {
  template <class A>
  __host__ __device__ A operator()(A a, A b) const {
    if constexpr (std::is_integral_v<A>) {  // wraps
      using Unsigned = std::make_unsigned_t<A>;
      return static_cast<A>(static_cast<Unsigned>(a) + static_cast<Unsigned>(b));
    } else {
      return a + b;
    }
  }
};

namespace reduce_detail {

/// IEEE 754-2019: a NaN wins, and -0 is below +0.
template <bool greater, class A>
__host__ __device__ A extreme(A a, A b) {
  if constexpr (std::is_floating_point_v<A>) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    if constexpr (std::is_same_v<A, float>) {
      float chosen;
      if constexpr (greater) {
        asm("max.NaN.f32 %0, %1, %2;" : "=f"(chosen) : "f"(a), "f"(b));
      } else {
        asm("min.NaN.f32 %0, %1, %2;" : "=f"(chosen) : "f"(a), "f"(b));
      }
      return chosen;
    }
#endif
    if (a != a || b != b) return a + b;
    if (a == b) return greater == (1 / a < 1 / b) ? b : a;
  }
  return greater == (a < b) ? b : a;
}

}  // namespace reduce_detail

struct Minimum {
  template <class A>
  __host__ __device__ A operator()(A a, A b) const {
    return reduce_detail::extreme<false>(a, b);
  }
};
struct Maximum {
  template <class A>
  __host__ __device__ A operator()(A a, A b) const {
    return reduce_detail::extreme<true>(a, b);
  }
};

// The workspace.

/// Device memory that the calls on one stream share, and what the launches have to know of the
/// device. To be made by `make_workspace`.
struct Workspace {
  std::uint64_t* words = nullptr;  ///< the first has the number of the next call: never 0
  std::uint32_t count = 0;         ///< of words behind that one
  unsigned units = 0;              ///< SMs of the device
};

/// Bytes of device memory that a workspace takes at best. With less, down to 16 KiB, large inputs
/// are reduced by fewer blocks.
constexpr std::size_t workspace_bytes() { return (std::size_t{1} << 19) + sizeof(std::uint64_t); }

/// Makes a workspace on the current device of `bytes` bytes at `memory`, which is aligned to eight
/// bytes and stays the caller's; on `stream`, whatever is in it. It serves one stream at a time.
inline hipError_t make_workspace(Workspace* workspace, void* memory, std::size_t bytes,
                                 hipStream_t stream) {
  if (workspace == nullptr || memory == nullptr || bytes < std::size_t{16} << 10 ||
      reinterpret_cast<std::uintptr_t>(memory) % sizeof(std::uint64_t) != 0) {
    return hipErrorInvalidValue;
  }
  int device = 0, units = 0;
  hipError_t code = hipGetDevice(&device);
  if (code == hipSuccess) {
    code = hipDeviceGetAttribute(&units, hipDeviceAttributeMultiprocessorCount, device);
  }
  if (code == hipSuccess) code = hipMemsetAsync(memory, 0, bytes, stream);
  if (code == hipSuccess) code = hipMemsetAsync(memory, 1, sizeof(std::uint64_t), stream);
  if (code != hipSuccess) return code;
  const std::size_t words = bytes / sizeof(std::uint64_t) - 1;
  workspace->words = static_cast<std::uint64_t*>(memory);
  workspace->count = static_cast<std::uint32_t>(words < 1U << 31 ? words : 1U << 31);
  workspace->units = static_cast<unsigned>(units);
  return hipSuccess;
}

/// Where the host finds a result without waiting for the stream: `bytes` bytes of the host's memory
/// that the device can write (hipHostAlloc with hipHostAllocMapped), aligned to eight. The
/// caller's, and of one call at a time.
template <class A>
struct OnHost {
  static constexpr std::size_t bytes = (sizeof(A) + 3) / 4 * sizeof(std::uint64_t);
  std::uint64_t* words = nullptr;

  /// To be called before each `reduce`: forgets the last result.
  void clear() const {
    for (std::size_t p = 0; p < bytes / sizeof *words; ++p)
      std::atomic_ref(words[p]).store(0, std::memory_order_relaxed);
  }
  /// Whether the result is there.
  bool ready() const {
    for (std::size_t p = 0; p < bytes / sizeof *words; ++p)
      if (std::atomic_ref(words[p]).load(std::memory_order_relaxed) >> 32 == 0) return false;
    return true;
  }
  /// The result, as soon as it is there; for ever, if the launch has failed.
  A wait() const {
    while (!ready()) {
    }
    std::uint32_t pieces[bytes / sizeof *words];
    for (std::size_t p = 0; p < bytes / sizeof *words; ++p)
      pieces[p] =
          static_cast<std::uint32_t>(std::atomic_ref(words[p]).load(std::memory_order_relaxed));
    A value;
    std::memcpy(&value, pieces, sizeof value);
    return value;
  }
};

namespace reduce_detail {

using Index = std::int64_t;

// Partials in words: four bytes each, and above them the number of the call.

template <class A>
inline constexpr unsigned words_of = (sizeof(A) + 3) / 4;

template <class A>
struct Pieces {
  unsigned at[words_of<A>];
};

template <class A>
__device__ Pieces<A> cut(const A& value) {
  Pieces<A> pieces{};
  __builtin_memcpy(&pieces, &value, sizeof value);
  return pieces;
}
template <class A>
__device__ A joined(const Pieces<A>& pieces) {
  A value;
  __builtin_memcpy(&value, &pieces, sizeof value);
  return value;
}

template <class A>
__device__ void leave(const Workspace& workspace, unsigned block, const A& partial, unsigned call) {
  const auto pieces = cut(partial);
#pragma unroll
  for (unsigned p = 0; p < words_of<A>; ++p)
    put(workspace.words + 1 + block * words_of<A> + p, std::uint64_t{call} << 32 | pieces.at[p]);
}

/// The words of a block, as they are now.
template <class A>
struct Seen {
  std::uint64_t at[words_of<A>];
};
template <class A>
__device__ Seen<A> look(const Workspace& workspace, unsigned block) {
  Seen<A> seen;
#pragma unroll
  for (unsigned p = 0; p < words_of<A>; ++p)
    seen.at[p] = get(workspace.words + 1 + block * words_of<A> + p);
  return seen;
}
/// Whether they are of this call; then `pieces` is the partial.
template <class A>
__device__ bool taken(const Seen<A>& seen, unsigned call, Pieces<A>& pieces) {
  bool here = true;
#pragma unroll
  for (unsigned p = 0; p < words_of<A>; ++p) {
    pieces.at[p] = static_cast<unsigned>(seen.at[p]);
    here &= seen.at[p] >> 32 == call;
  }
  return here;
}

/// `mine` and the thread's share of the partials of the blocks below `last`, in the same order each
/// time. Up to four words are under way at once, since each answer takes its time: all are asked
/// for before the first is looked at, the last block's again where there are fewer.
template <unsigned threads, class A, class Op>
__device__ A collect(const Workspace& workspace, unsigned last, unsigned call, A mine, Op op) {
  constexpr unsigned at_once = words_of<A> < 4 ? 4 / words_of<A> : 1;
  for (unsigned b = threadIdx.x; b < last; b += at_once * threads) {
    Pieces<A> pieces[at_once];
    bool here;
    do {
      Seen<A> seen[at_once];
#pragma unroll
      for (unsigned k = 0; k < at_once; ++k) {
        const unsigned other = b + k * threads;
        seen[k] = look<A>(workspace, other < last ? other : last - 1);
      }
      here = true;
#pragma unroll
      for (unsigned k = 0; k < at_once; ++k) here &= taken(seen[k], call, pieces[k]);
    } while (!here);
#pragma unroll
    for (unsigned k = 0; k < at_once; ++k) {
      if (b + k * threads < last) mine = op(mine, joined<A>(pieces[k]));
    }
  }
  return mine;
}

/// The next call has the next number: by the first wave of the block that has collected. After the
/// last number that a word has room for, the words forget: one that was left so long ago would be
/// taken for the next call's.
__device__ inline void finish(const Workspace& workspace, unsigned call) {
  if (call != ~0U) {
    if (threadIdx.x == 0) put(workspace.words, call + 1);
  } else {
    for (unsigned w = threadIdx.x; w <= workspace.count; w += wave)
      put(workspace.words + w, w == 0 ? 1 : 0);
  }
}

/// Hands the result over, of the call with this number: never 0.
template <class A>
__device__ void hand_over(A* result, const A& value, unsigned) {
  *result = value;
}
template <class A>
__device__ void hand_over(const OnHost<A>& result, const A& value, unsigned call) {
  const auto pieces = cut(value);
#pragma unroll
  for (unsigned p = 0; p < words_of<A>; ++p)
    put_for_host(result.words + p, std::uint64_t{call} << 32 | pieces.at[p]);
}

// The tree.

/// What the lane `distance` above holds.
template <class A>
__device__ A from_above(const A& value, unsigned distance) {
  auto pieces = cut(value);
#pragma unroll
  for (unsigned p = 0; p < words_of<A>; ++p) pieces.at[p] = lane_above(pieces.at[p], distance);
  return joined<A>(pieces);
}

template <unsigned width, class A, class Op>
__device__ A reduce_lanes(A mine, Op op) {
#pragma unroll
  for (unsigned s = width / 2; s > 0; s /= 2) mine = op(mine, from_above(mine, s));
  return mine;
}

/// One value of each thread as one, in thread 0. `tile` has room for one of each wave.
template <unsigned block, class A, class Op>
__device__ A reduce_block(A mine, A identity, Op op, A* tile) {
  mine = reduce_lanes<wave>(mine, op);
  if constexpr (block > wave) {
    constexpr unsigned warps = block / wave;
    if (threadIdx.x % wave == 0) tile[threadIdx.x / wave] = mine;
    __syncthreads();
    if (threadIdx.x < wave) {
      mine = threadIdx.x < warps ? tile[threadIdx.x] : identity;
      mine = reduce_lanes<warps>(mine, op);
    }
  }
  return mine;
}

// The input.

/// Sixteen bytes of elements behind a pointer, one load; else an element.
template <class In>
struct Access {
  using element = std::remove_cvref_t<decltype(std::declval<In>()[Index{}])>;
  static constexpr unsigned width = 1;
};
template <class T>
requires(std::is_trivially_copyable_v<T> && sizeof(T) < 16 &&
         16 % sizeof(T) == 0) struct Access<T*> {
  using element = std::remove_cv_t<T>;
  using Vector = std::conditional_t<sizeof(T) <= 4, uint4, ulonglong2>;
  static constexpr unsigned width = 16 / sizeof(T);
};

template <unsigned first, unsigned count, class A, class T, class Op>
__device__ A fold(const T* at, Op op) {
  if constexpr (count == 1) {
    return static_cast<A>(at[first]);
  } else {
    return op(fold<first, count / 2, A>(at, op), fold<first + count / 2, count / 2, A>(at, op));
  }
}

/// The elements of the `i`th vector of `x`, or the `i`th element, as it is loaded.
template <class In>
__device__ auto load(In x, Index i) {
  if constexpr (Access<In>::width == 1) {
    return x[i];
  } else {
    return reinterpret_cast<const typename Access<In>::Vector*>(x)[i];
  }
}
template <class In, class A, class Loaded, class Op>
__device__ A value_of(const Loaded& loaded, Op op) {
  if constexpr (Access<In>::width == 1) {
    return static_cast<A>(loaded);
  } else {
    using T = typename Access<In>::element;
    T elements[Access<In>::width];
    __builtin_memcpy(elements, &loaded, sizeof loaded);
    return fold<0, Access<In>::width, A>(elements, op);
  }
}

/// The calling thread's share of `count` vectors from `x` on: tiles of `vectors` for each thread, a
/// grid apart. All loads of a tile are under way before the first is used.
template <unsigned block, unsigned vectors, bool alone, class In, class A, class Op>
__device__ A walk(In x, Index count, A mine, Op op) {
  constexpr Index tile = Index{block} * vectors;
  const Index stride = alone ? tile : gridDim.x * tile;
#pragma unroll 1
  for (Index begin = alone ? 0 : blockIdx.x * tile; begin < count; begin += stride) {
    const Index i = begin + threadIdx.x;
    decltype(load(x, i)) loaded[vectors];
    if (begin + tile <= count) {
#pragma unroll
      for (unsigned k = 0; k < vectors; ++k) loaded[k] = load(x, i + k * block);
#pragma unroll
      for (unsigned k = 0; k < vectors; ++k) mine = op(mine, value_of<In, A>(loaded[k], op));
    } else {
#pragma unroll
      for (unsigned k = 0; k < vectors; ++k) {
        const Index there = i + k * block;
        loaded[k] =
            load(x, there < count ? there : count - 1);  // no branch, or each load would wait
      }
#pragma unroll
      for (unsigned k = 0; k < vectors; ++k) {
        if (i + k * block < count) mine = op(mine, value_of<In, A>(loaded[k], op));
      }
    }
  }
  return mine;
}

template <unsigned block, unsigned vectors, bool alone, class In, class A, class Op>
__device__ A share_of(In x, Index n, A mine, Op op) {
  constexpr unsigned width = Access<In>::width;
  if constexpr (width == 1) {
    return walk<block, vectors, alone>(x, n, mine, op);
  } else {
    // Up to the first boundary of 16 bytes, and behind the last, one element at a time: by the last
    // block, since it is the one that waits for others, and when its vectors are there, so that no
    // load of theirs waits.
    using T = typename Access<In>::element;
    const auto past = static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(x) % 16 / sizeof(T));
    const Index until = (width - past) % width;
    const Index head = until < n ? until : n;
    const Index count = (n - head) / width, tail = head + count * width;
    mine = walk<block, vectors, alone>(x + head, count, mine, op);
    if (alone || blockIdx.x == gridDim.x - 1) {
      const Index i = threadIdx.x;
      if (i < head) mine = op(mine, static_cast<A>(x[i]));
      if (i < n - tail) mine = op(mine, static_cast<A>(x[tail + i]));
    }
    return mine;
  }
}

struct Given {
  Index n;
  __device__ Index operator()() const { return n; }
};
struct Stored {
  const std::size_t* n;
  __device__ Index operator()() const { return static_cast<Index>(*n); }
};

/// `alone`: the grid is one block, which needs no workspace.
template <unsigned block, unsigned vectors, bool alone, class In, class Count, class To, class A,
          class Op>
__global__ void __launch_bounds__(block, alone ? 1 : least_resident<block>)
    reduce(In x, Count count, Workspace workspace, To result, Op op, A identity) {
  __shared__ __align__(alignof(A)) unsigned char memory[block / wave * sizeof(A)];
  A* const tile = reinterpret_cast<A*>(memory);
  const unsigned last = gridDim.x - 1;
  // As few threads as need it, since all blocks ask for the same word; and nothing is made of it
  // before the input is there, so that no load waits for it.
  unsigned call = 1;
  if (!alone && (threadIdx.x == 0 || blockIdx.x == last))
    call = static_cast<unsigned>(get(workspace.words));

  A mine = share_of<block, vectors, alone>(x, count(), identity, op);
  mine = reduce_block<block>(mine, identity, op, tile);
  if constexpr (alone) {
    if (threadIdx.x == 0) hand_over(result, mine, call);
  } else {
    if (blockIdx.x != last) {
      if (threadIdx.x == 0) leave(workspace, blockIdx.x, mine, call);
      return;
    }

    if (threadIdx.x != 0) mine = identity;
    if (last <= wave) {  // so few that one wave gets them at once
      if (threadIdx.x >= wave) return;
      mine = reduce_lanes<wave>(collect<wave>(workspace, last, call, mine, op), op);
    } else {
      mine = collect<block>(workspace, last, call, mine, op);
      __syncthreads();
      mine = reduce_block<block>(mine, identity, op, tile);
      if (threadIdx.x >= wave) return;
    }
    if (threadIdx.x == 0) hand_over(result, mine, call);
    finish(workspace, call);
  }
}

}  // namespace reduce_detail

// How it is launched.

/// Threads per block, vectors of 16 bytes (or elements, where the input is no pointer) that a
/// thread has under way at once, and how many blocks: so many per SM, or one of these.
struct Choice {
  static constexpr int alone = -1;    ///< one block in all
  static constexpr int one_pass = 0;  ///< as many as it takes for each thread to load once
  unsigned block, vectors;
  int per_unit;
};

/// What there are kernels for, by block and vectors, for one block alone and for many.
inline constexpr struct {
  unsigned block, vectors;
  bool alone;
} instances[] = {{256, 1, true},  {512, 1, true},  {512, 2, true},
                 {512, 4, true},  {1024, 4, true}, {256, 1, false},
                 {512, 2, false}, {512, 4, false}, {1024, 4, false}};

/// What is chosen for so many bytes where nothing is known of the device but its SMs.
constexpr Choice usual_choice(std::size_t bytes) {
  constexpr std::size_t ki = 1024, mi = ki * ki;
  if (bytes <= 4 * ki) return {256, 1, Choice::alone};
  if (bytes <= 8 * ki) return {512, 1, Choice::alone};
  if (bytes <= 16 * ki) return {512, 2, Choice::alone};
  if (bytes <= 32 * ki) return {512, 4, Choice::alone};
  if (bytes <= 64 * ki) return {1024, 4, Choice::alone};
  if (bytes <= 512 * ki) return {256, 1, Choice::one_pass};
  if (bytes <= mi) return {512, 2, Choice::one_pass};
  if (bytes < 512 * mi) return {512, 4, 4};
  return {1024, 4, 64};
}

namespace reduce_detail {

/// Blocks of a choice for `n` elements of `In`; no more than there are words for, and never none.
template <class In, class A>
unsigned blocks_of(const Workspace& workspace, const Choice& choice, std::size_t n) {
  const std::size_t tile = std::size_t{choice.block} * choice.vectors * Access<In>::width;
  const std::size_t needed = (n + tile - 1) / tile;
  std::size_t most = workspace.count / words_of<A>;
  if (choice.per_unit == Choice::alone) most = 1;
  if (choice.per_unit > 0) {
    const std::size_t asked = static_cast<std::size_t>(choice.per_unit) * workspace.units;
    most = asked < most ? asked : most;
  }
  const std::size_t blocks = needed < most ? needed : most;
  return blocks == 0 ? 1 : static_cast<unsigned>(blocks);
}

/// Calls `f(kernel)` with the instance of a choice; false where there is none.
template <std::size_t i, class In, class Count, class To, class A, class Op, class F>
bool with_instance(const Choice& choice, F&& f) {
  if constexpr (i < sizeof instances / sizeof *instances) {
    constexpr auto known = instances[i];
    if (known.block != choice.block || known.vectors != choice.vectors ||
        known.alone != (choice.per_unit == Choice::alone)) {
      return with_instance<i + 1, In, Count, To, A, Op>(choice, f);
    }
    f(reduce<known.block, known.vectors, known.alone, In, Count, To, A, Op>);
    return true;
  } else {
    return false;
  }
}

/// Calls `f(kernel, blocks)` with what is to be launched for `most` elements of `In`, carried in A.
template <class In, class Count, class To, class A, class Op, class F>
bool with_kernel(const Workspace& workspace, const Choice& choice, std::size_t most, F&& f) {
  const unsigned blocks = blocks_of<In, A>(workspace, choice, most);
  return with_instance<0, In, Count, To, A, Op>(choice, [&](auto* kernel) { f(kernel, blocks); });
}

template <class In, class Count, class To, class A, class Op>
hipError_t launch(const Workspace& workspace, In x, Count count, std::size_t most, To result, Op op,
                  A identity, const Choice& choice, hipStream_t stream) {
  static_assert(std::is_trivially_copyable_v<A>, "an accumulator is moved as bytes");
  static_assert(std::is_same_v<To, A*> || std::is_same_v<To, OnHost<A>>,
                "a result goes to the accumulator's type");
  hipError_t code = hipErrorInvalidValue;
  with_kernel<In, Count, To, A, Op>(workspace, choice, most, [&](auto* kernel, unsigned blocks) {
    Workspace space = workspace;
    void* arguments[] = {&x, &count, &space, &result, &op, &identity};
    code = hipLaunchKernel(reinterpret_cast<const void*>(kernel), dim3(blocks), dim3(choice.block),
                           arguments, 0, stream);
  });
  return code;
}

}  // namespace reduce_detail

// To be called.

/// The result is the elements [0, n) of `x`, cast to A and combined by `op`; `identity` where n is
/// 0. Enqueued on `stream` of the current device, by one launch: `x`, `result` and the workspace
/// have to stay until it has run. `x` is a pointer that is aligned for its type, read in vectors of
/// 16 bytes, or any iterator with `x[i]` on the device. `result` is an A* that the device can
/// write, or an OnHost<A> that has been cleared.
template <class In, class To, class A, class Op>
hipError_t reduce(const Workspace& workspace, In x, std::size_t n, To result, Op op, A identity,
                  hipStream_t stream) {
  const Choice choice = usual_choice(n * sizeof(typename reduce_detail::Access<In>::element));
  return reduce_detail::launch(workspace, x,
                               reduce_detail::Given{static_cast<reduce_detail::Index>(n)}, n,
                               result, op, identity, choice, stream);
}

/// The same by a choice of the caller's; hipErrorInvalidValue where there is no kernel for it.
template <class In, class To, class A, class Op>
hipError_t reduce(const Workspace& workspace, In x, std::size_t n, To result, Op op, A identity,
                  hipStream_t stream, const Choice& choice) {
  return reduce_detail::launch(workspace, x,
                               reduce_detail::Given{static_cast<reduce_detail::Index>(n)}, n,
                               result, op, identity, choice, stream);
}

/// The same where how many there are stands in device memory, no more than `most`: the grid is that
/// of `most`.
template <class In, class To, class A, class Op>
hipError_t reduce(const Workspace& workspace, In x, const std::size_t* n, std::size_t most,
                  To result, Op op, A identity, hipStream_t stream) {
  const Choice choice = usual_choice(most * sizeof(typename reduce_detail::Access<In>::element));
  return reduce_detail::launch(workspace, x, reduce_detail::Stored{n}, most, result, op, identity,
                               choice, stream);
}

}  // namespace ladder::hip
