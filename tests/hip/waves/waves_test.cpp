// Tests the HIP rungs on wavefronts of 32 and of 64 lanes without a device: compiles their sources
// for the CPU, once per width. Detects width errors: participating lanes, waits, blocks that fill
// no wavefront. Does not detect GPU compiler errors or races that the order of fibers hides.

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "common/check.hpp"
#include "common/fixed_tree.hpp"
#include "common/gpu/platform.hpp"
#include "common/gpu/rungs.hpp"
#include "common/reference.hpp"
#include "hip/hip_grid.hpp"
#include "ladder/hip/batch.hpp"
#include "ladder/hip/reduce.hpp"
#include "tests/orders.hpp"

namespace ladder::hip {
namespace {

/// The elements, followed by more of the same; starts one element past a 16-byte boundary.
template <class T>
struct Input {
  std::vector<T> storage;
  const T* at;

  Input(const Recipe& recipe, std::size_t n) : storage(n + 64 / sizeof(T)) {
    std::size_t past = 0;
    while (reinterpret_cast<std::uintptr_t>(&storage[past]) % 16 != sizeof(T)) ++past;
    at = &storage[past];
    for (std::size_t i = 0; i < storage.size() - past; ++i)
      storage[past + i] = element<T>(recipe, i);
  }
};

void expect_right(const Entry& entry, Type type, Operation operation, std::size_t n,
                  const Tuning& tuning, const Tuned& tuned = {}) {
  const Recipe recipe{Data::exact, operation, 3};
  const std::size_t sizes[] = {n};
  const Reference reference = references({type, recipe}, operation, sizes, 1).front();
  with_type(type, [&]<Type t>() {
    const Input<native<t>> input(recipe, n);
    Queue queue;
    queue.use(tuned);
    std::uint64_t result = 0x5A5A5A5A5A5A5A5A;
    if (entry.blocks) *queue.host_result<std::uint64_t>() = result;
    entry.find(type, operation)(queue, {input.at, n, type, operation, &result}, tuning);
    Value value{reference.value.type, 0};
    const void* const left = entry.blocks ? queue.host_result<void>() : &result;
    std::memcpy(&value.bits, left, facts(value.type).bytes);
    EXPECT_EQ(value, reference.value)
        << entry.id << " " << facts(type).name << " " << facts(operation).name << " n " << n
        << " block " << tuning.block << " on wavefronts of " << LADDER_WAVE << ": " << value.text()
        << " and not " << reference.value.text();
    EXPECT_EQ(*queue.ticket(), 0U) << entry.id << " leaves the ticket as it was";
  });
}

class WavesTest : public testing::TestWithParam<std::size_t> {};

TEST_P(WavesTest, give_the_right_result) {
  const Entry& entry = table()[GetParam()];
  if (!entry.present) GTEST_SKIP() << entry.why_absent;
  const Type usual = entry.find(Type::i32, Operation::sum) != nullptr ? Type::i32 : Type::f32;
  for (const unsigned block : {32U, 64U, 128U, 256U, 1024U}) {
    const Tuning tuning{.block = block, .grid = 5, .items = 3};
    for (const std::size_t n : {1U, 31U, 33U, 65U, 2051U}) {
      expect_right(entry, usual, Operation::sum, n, tuning);
    }
  }
  std::size_t carried = 0;
  for (const auto& type : types) {
    for (const Operation operation : {Operation::sum, Operation::min, Operation::max}) {
      if (entry.find(type.type, operation) == nullptr) continue;
      ++carried;
      for (const unsigned block : {32U, 64U, 128U}) {
        expect_right(entry, type.type, operation, 1023, {.block = block, .grid = 3, .items = 2});
      }
    }
  }
  // In these builds every published rung supports i32, f32 and, on 64 lanes, f64.
  EXPECT_GE(carried, entry.id >= "r20" ? 1U : LADDER_WAVE == 32 ? 6U : 9U);
}

INSTANTIATE_TEST_SUITE_P(Hip, WavesTest, testing::Range<std::size_t>(0, table().size()),
                         [](const auto& instance) {
                           return full_name(device_ladder[instance.param]);
                         });

/// Checks every result of many reductions, and the place past the last. Groups are as the rung
/// takes them, with n elements in total.
void expect_groups(const Entry& entry, Type type, Operation operation, Groups groups, std::size_t n,
                   const std::vector<std::int64_t>& offsets = {}) {
  const Recipe recipe{Data::exact, operation, 3};
  const auto expected = group_references({type, recipe}, operation, groups, offsets, false, 1);
  with_type(type, [&]<Type t>() {
    const Input<native<t>> input(recipe, groups.extent(n));
    Queue queue;
    const std::size_t bytes = facts(expected.type).bytes;
    std::vector<std::byte> results((groups.count + 1) * bytes, std::byte{0x5A});
    groups.offsets = offsets.data();
    entry.find(type, operation)(queue, {input.at, n, type, operation, results.data(), groups}, {});
    const Verdict verdict = check_groups(results, expected, false, 1, std::byte{0x5A});
    EXPECT_TRUE(verdict.ok) << entry.id << " " << facts(type).name << " " << facts(operation).name
                            << ", " << groups.count << " " << name(groups.by) << " of "
                            << groups.length << " on wavefronts of " << LADDER_WAVE << ": "
                            << verdict.message;
  });
}

class BatchTest : public testing::TestWithParam<std::size_t> {};

TEST_P(BatchTest, gives_the_right_results) {
  const Entry& entry = batch_table()[GetParam()];
  const Rung& rung = batch_ladder[GetParam()];
  const std::vector<std::int64_t> offsets{0, 0, 3, 3, 70, 71, 71, 1400, 6000, 6001, 6001};
  for (const auto type : {Type::i8, Type::f32}) {
    for (const auto operation : {Operation::sum, Operation::max}) {
      if (entry.find(type, operation) == nullptr) continue;
      for (const std::size_t length : {1U, 5U, 16U, 64U, 70U, 300U, 1029U, 5000U}) {
        const std::size_t count = length > 1000 ? 3 : 37;
        if (rung.takes(Grouping::rows)) {
          expect_groups(entry, type, operation, {Grouping::rows, count, length, length},
                        count * length);
          expect_groups(entry, type, operation, {Grouping::rows, count, length, length + 3},
                        count * length);
        }
        if (rung.takes(Grouping::columns))
          expect_groups(entry, type, operation, {Grouping::columns, length, count, length},
                        count * length);
      }
      if (rung.takes(Grouping::segments))
        expect_groups(entry, type, operation, {Grouping::segments, offsets.size() - 1, 4600, 0},
                      6001, offsets);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Hip, BatchTest, testing::Range<std::size_t>(0, batch_table().size()),
                         [](const auto& instance) {
                           return full_name(batch_ladder[instance.param]);
                         });

TEST(Segments, get_fewer_blocks_where_the_workspace_has_little_room) {
  const std::int64_t offsets[]{0, 1 << 20};
  const reduce_detail::RoomFor<float> room{nullptr, nullptr, 1 << 10};
  std::size_t blocks = 0;
  reduce_detail::with_segments(
      static_cast<const float*>(nullptr),
      reduce_detail::Segments<std::int64_t>{offsets, 1, offsets[1]}, Gpu{.units = 100}, room,
      static_cast<float*>(nullptr), Sum{}, 0.0F,
      [&](auto*, const reduce_detail::Grid& grid, auto...) { blocks = grid.blocks; });
  EXPECT_GT(blocks, 1U);
  EXPECT_LE(blocks * (sizeof(std::int64_t) + sizeof(float)), room.bytes);
}

/// Returns the result of a rung on an array of the CPU.
template <Type type, Operation operation>
auto result_of(std::string_view id, const native<type>* x, std::size_t n, const Tuning& tuning) {
  const auto entry = std::ranges::find(table(), id, &Entry::id);
  Queue queue;
  typename Case<type, operation>::accumulator result{};
  entry->find(type, operation)(queue, {x, n, type, operation, &result}, tuning);
  return Value::of(accumulator_of(type, operation), result);
}

template <Type type, Operation operation>
void has_the_bits_of_the_fixed_tree() {
  using Op = typename Case<type, operation>::function;
  constexpr FixedTree tree = fixed_tree<typename Op::value>;
  for (const std::size_t n : {std::size_t{3}, tree.chunk() + 130, 3 * tree.chunk()}) {
    const auto x = tests::rough<native<type>>(operation, n + 1);
    for (const std::size_t past : {std::size_t{0}, std::size_t{1}}) {
      const auto* const at = x.data() + past;
      const auto expected = Value::of(accumulator_of(type, operation), reduce_by<Op>(tree, at, n));
      for (const unsigned block : {32U, 64U, 128U}) {
        const auto got = result_of<type, operation>("r28", at, n, {.block = block, .grid = 2});
        EXPECT_EQ(got, expected) << facts(type).name << " n " << n << " block " << block << ": "
                                 << got.text() << " and not " << expected.text();
      }
    }
  }
}

TEST(Waves, give_r30s_result_to_the_host) {
  for (const Extra& extra : library()) {
    for (const auto type : {Type::i32, Type::f64}) {
      for (const Operation operation : {Operation::sum, Operation::min, Operation::max}) {
        for (const std::size_t n : {1U, 31U, 2051U, 20000U})
          expect_right(extra.entry, type, operation, n, {});
      }
    }
  }
  EXPECT_EQ(library().size(), 3U) << "r30_polled, r30_mapped and r30_graph";
}

TEST(Waves, launch_what_the_tuning_asks_for_wherever_r30_is) {
  Tuned known, unknown;
  known.lines = {{Type::i32, Operation::sum, 0, 1024, 4, -1}};
  unknown.lines = {{Type::i32, Operation::sum, 0, 64, 1, -1}};
  const auto r30 = std::ranges::find(table(), "r30", &Entry::id);
  std::vector<Entry> entries{*r30};
  for (const Extra& extra : library()) entries.push_back(extra.entry);
  for (const Entry& entry : entries) {
    expect_right(entry, Type::i32, Operation::sum, 2051, {}, known);
    EXPECT_THROW(expect_right(entry, Type::i32, Operation::sum, 2051, {}, unknown), NotPossible);
  }
}

/// Uses the header's operations, as r30 does.
TEST(Waves, find_the_extremes_of_bytes_wherever_they_stand) {
  using reduce_detail::Given;
  for (std::size_t at = 0; at < 50; ++at) {
    for (const std::size_t past : {0U, 1U, 15U}) {
      alignas(16) signed char values[80];
      for (std::size_t i = 0; i < sizeof values; ++i)
        values[i] = static_cast<signed char>(static_cast<int>(i * 2654435761U >> 24 & 0x7F) - 60);
      signed char found[2] = {};
      const auto all = [&]<class Op>(signed char* result, Op op, signed char identity) {
        Queue queue;
        queue.launch(reduce_detail::reduce<64, 1, true, const signed char*, Given, signed char*,
                                           signed char, Op>,
                     Shape{1, 64}, Pass{}, values + past, Given{50}, Workspace{}, result, op,
                     identity);
      };
      values[past + at] = -128;
      all(&found[0], Minimum{}, std::int8_t{127});
      values[past + at] = 127;
      all(&found[1], Maximum{}, std::int8_t{-128});
      EXPECT_EQ(found[0], -128) << at << " past " << past;
      EXPECT_EQ(found[1], 127) << at << " past " << past;
    }
  }
}

TEST(FixedTree, has_its_bits_on_any_wavefront) {
  has_the_bits_of_the_fixed_tree<Type::f32, Operation::sum>();
  if constexpr (LADDER_WAVE == 32) {
    has_the_bits_of_the_fixed_tree<Type::bf16, Operation::product>();
  } else {
    has_the_bits_of_the_fixed_tree<Type::f64, Operation::sum>();
    has_the_bits_of_the_fixed_tree<Type::f16, Operation::sum>();
  }
}

TEST(Compensated, loses_nothing_that_cancels) {
  std::vector<float> x(4001);
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = i % 2 == 0 ? 1 : i % 4 == 1 ? 0x1p30F : -0x1p30F;
  for (const unsigned block : {32U, 128U}) {
    const auto got = result_of<Type::f32, Operation::sum>("r27", x.data(), x.size(),
                                                          {.block = block, .grid = 3});
    EXPECT_EQ(got.as<float>(), 2001) << block;
    EXPECT_NE((result_of<Type::f32, Operation::sum>("r20", x.data(), x.size(),
                                                    {.block = block, .grid = 3}))
                  .as<float>(),
              2001)
        << block;
  }
}

}  // namespace
}  // namespace ladder::hip
