#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "common/model/layout.hpp"
#include "tests/guarded_input.hpp"
#include "tests/model/kernels.hpp"
#include "tests/model/on_device.hpp"
#include "tests/refusal.hpp"

namespace ladder::LADDER_MODEL {
namespace {

/// True for rungs that a model or device may lack, or carry only for types that suit their idea.
bool is_past_the_published(std::string_view id) { return id > "r20" && id != "r30" && id != "r31"; }

/// True for operations that every rung carries, for groups too.
bool is_classic(Operation operation) {
  return operation == Operation::sum || operation == Operation::min || operation == Operation::max;
}

TEST(ModelTable, carries_what_every_published_rung_carries) {
  for (const Entry& entry : table()) {
    if (entry.find == nullptr) {
      EXPECT_TRUE(is_past_the_published(entry.id)) << entry.id;
      EXPECT_FALSE(entry.why_absent.empty()) << entry.id;
      continue;
    }
    if (is_past_the_published(entry.id)) {
      const bool sums = std::ranges::any_of(types, [&](const auto& type) {
        return entry.find(type.type, Operation::sum) != nullptr;
      });
      EXPECT_TRUE(sums || !std::string_view{built_types}.empty()) << entry.id;
      continue;
    }
    for (const auto& type : types) {
      if (type.bytes < 4) continue;  // added after the published rungs
      for (const Operation operation : {Operation::sum, Operation::min, Operation::max}) {
        EXPECT_EQ(entry.find(type.type, operation) != nullptr, names_type(built_types, type.type))
            << entry.id << " " << type.name << " " << facts(operation).name;
      }
    }
    EXPECT_EQ(entry.find(Type::f32, Operation::bit_xor), nullptr) << entry.id;
  }
}

TEST(ModelTable, r30_is_there_with_a_result_for_the_host_that_polls_or_waits) {
  for (const std::string_view id : {"r30_polled", "r30_mapped", "r30_graph"}) {
    const auto found = std::ranges::find(library(), id, [](const Extra& e) { return e.rung.id; });
    ASSERT_NE(found, library().end()) << id;
    EXPECT_FALSE(found->library) << id;
    EXPECT_TRUE(found->entry.blocks) << id;
  }
}

TEST(ModelTable, libraries_carry_everything_that_makes_sense) {
  for (const Extra& extra : library()) {
    if (!extra.library) {  // a variant of a rung, free in what it carries
      EXPECT_FALSE(extra.rung.base.empty()) << extra.rung.id << " is neither library nor rung";
      continue;
    }
    if (extra.rung.id.starts_with("library_cub_")) continue;  // variants for sums
    for (const auto& type : types) {
      if (type.bytes < 4 && extra.rung.id.starts_with("library_hipcub")) continue;  // reports why
      for (const auto& operation : operations) {
        const bool makes_sense = extra.rung.takes(Grouping::whole)
                                     ? type.integer || !operation.integers_only
                                     : is_classic(operation.operation);
        EXPECT_EQ(extra.entry.find(type.type, operation.operation) != nullptr,
                  names_type(built_types, type.type) && makes_sense)
            << extra.rung.id << " " << type.name << " " << operation.name;
      }
    }
  }
}

TEST(ModelBackend, can_be_made_and_asked_without_a_device) {
  const auto backend = make_backend({});
  EXPECT_EQ(backend->name(), model_name);
  EXPECT_EQ(backend->rungs().size(),
            device_ladder.size() + batch_table().size() + library().size());
  EXPECT_TRUE(backend->carries(0, Type::f32, Operation::sum));
  EXPECT_FALSE(backend->carries(0, Type::f32, Operation::bit_xor));
}

/// Valid when traced, impossible to launch.
template <class Case>
struct TooLarge {
  static void run(Queue& queue, const View<Case>&, const Tuning&) {
    queue.launch(nothing, Shape{.grid = 1, .block = queue.tracing() ? 32U : 4096U}, Pass{});
  }
};

Run<Queue> find_too_large(Type type, Operation operation) {
  return pick<Queue, TooLarge>(Classic{}, type, operation);
}

constexpr std::array impossible{
    Extra{Rung{"too_large", "", "", "", "", no_axis}, Entry{"too_large", find_too_large}, false}};

class ModelBackendOpen : public OnDevice {
 protected:
  void SetUp() override {
    OnDevice::SetUp();
    if (IsSkipped()) return;
    backend_ = make_backend(impossible);
    ASSERT_EQ(backend_->open(0), std::nullopt);
    ASSERT_EQ(&backend_->device(), device.get());
    input_ = device->allocate(1 << 20);
    device->fill(input_->data(), Type::f32, {}, 0, (1 << 20) / sizeof(float));
  }
  std::size_t rung(std::string_view id) const { return tests::rung_of(*backend_, id); }
  Problem sum_of(std::size_t n) const {
    return {input_->data(), n, Type::f32, Operation::sum, nullptr};
  }
  std::unique_ptr<Backend> backend_;
  std::unique_ptr<Buffer> input_;
};

TEST_F(ModelBackendOpen, reports_a_launch_that_fails_and_goes_on) {
  const auto broken = backend_->prepare(rung("too_large"), sum_of(1000), {});
  EXPECT_THROW(broken->run(), Runtime::Error);
  EXPECT_EQ(device->recover(), std::nullopt);
  const auto right = backend_->prepare(rung("r04"), sum_of(1000), {});
  EXPECT_NO_THROW(right->run());
  EXPECT_NO_THROW(right->fetch());
}

TEST_F(ModelBackendOpen, recovers_while_the_stream_is_held) {
  const auto broken = backend_->prepare(rung("too_large"), sum_of(1000), {});
  device->hold();
  EXPECT_THROW(broken->run(), Runtime::Error);
  EXPECT_EQ(device->recover(), std::nullopt);
  EXPECT_NO_THROW(device->synchronize());
}

TEST_F(ModelBackendOpen, refuses_blocks_that_no_rung_takes) {
  for (const unsigned block : {1U, 16U, 48U, 2048U}) {
    EXPECT_THROW((void)backend_->prepare(rung("r04"), sum_of(1000), {.block = block}), NotPossible);
    EXPECT_THROW((void)backend_->resolve(rung("r04"), sum_of(1000), {.block = block}), NotPossible);
  }
}

TEST_F(ModelBackendOpen, refuses_more_elements_per_thread_than_a_block_can_count) {
  const std::size_t r07 = rung("r07");
  const Tuning most{.items = most_items}, too_many{.items = most_items + 1};
  EXPECT_NO_THROW((void)backend_->prepare(r07, sum_of(1000), most));
  EXPECT_THROW((void)backend_->prepare(r07, sum_of(1000), too_many), NotPossible);
}

TEST_F(ModelBackendOpen, makes_the_grid_no_larger_than_the_problem) {
  const std::size_t r11 = rung("r11");
  EXPECT_EQ(backend_->resolve(r11, sum_of(1000), {.block = 32, .grid = 500}).grid, 32U);
  EXPECT_EQ(backend_->resolve(r11, sum_of(1000), {.block = 32, .grid = 3}).grid, 3U);
  EXPECT_EQ(backend_->resolve(r11, sum_of(0), {}).grid, 1U);
  // Its first launch is the reset of the result, one block.
  EXPECT_EQ(backend_->resolve(rung("r14"), sum_of(1000), {.block = 32, .grid = 500}).grid, 32U);
  EXPECT_EQ(backend_->resolve(rung("r04"), sum_of(1000), {.grid = 3}).grid, 0U);
}

TEST_F(ModelBackendOpen, fills_the_device_and_no_more_by_default) {
  const unsigned units = device->facts().units;
  for (const char* id : {"r11", "r12", "r13", "r14", "r15", "r16", "r17", "r20", "r21"}) {
    for (const unsigned block : {32U, 256U, 512U, 1024U}) {
      const Problem large = sum_of(std::size_t{1} << 30);  // nothing is read
      const Tuning tuning = backend_->resolve(rung(id), large, {.block = block});
      EXPECT_EQ(tuning.grid % units, 0U);
      const auto job = backend_->prepare(rung(id), large, tuning);
      const ladder::Launch& launch = *job->footprint().main();
      EXPECT_EQ(launch.grid, tuning.grid);
      EXPECT_LE(launch.grid / units, static_cast<unsigned>(launch.kernel.blocks_per_unit));
      EXPECT_LE(launch.grid / units * block, 2048U);
      EXPECT_GE(launch.grid / units * block, 1024U);
    }
  }
}

TEST_F(ModelBackendOpen, refuses_blocks_that_wait_for_each_other_and_cannot_be_there_at_once) {
  const std::size_t r21 = rung("r21");
  const Problem large = sum_of(std::size_t{1} << 30);  // nothing is read
  const auto job = backend_->prepare(r21, large, {.block = 256});
  const ladder::Launch& launch = *job->footprint().main();
  const unsigned most =
      static_cast<unsigned>(launch.kernel.blocks_per_unit) * device->facts().units;
  EXPECT_LE(launch.grid, most);
  EXPECT_EQ(backend_->prepare(r21, large, {.block = 256, .grid = most})->tuning().grid, most);
  const Tuning too_many{.block = 256, .grid = most + 1};
  EXPECT_EQ(tests::refusal_of([&] { (void)backend_->prepare(r21, large, too_many); }),
            "needs its " + std::to_string(most + 1) +
                " blocks resident at once, the device holds " + std::to_string(most));
  // Few elements have fewer blocks than requested.
  EXPECT_NO_THROW((void)backend_->prepare(r21, sum_of(1000), too_many));
}

TEST_F(ModelBackendOpen, adds_the_partials_in_the_same_order_whichever_block_is_last) {
  const std::size_t n = (1 << 20) / sizeof(float) - 1;
  device->fill(input_->data(), Type::f32, {Data::uniform, Operation::sum, 5}, 0, n);
  for (const unsigned grid : {7U, 100U, 600U}) {
    const auto job = backend_->prepare(rung("r20"), sum_of(n), {.block = 32, .grid = grid});
    std::optional<Value> first;
    for (int again = 0; again < 50; ++again) {
      job->spoil();
      job->run();
      job->fetch();
      if (!first) first = job->result();
      EXPECT_EQ(job->result(), *first) << "grid " << grid << ", run " << again;
    }
  }
}

TEST_F(ModelBackendOpen, spoils_both_places_of_the_result) {
  const auto job = backend_->prepare(rung("r04"), sum_of(1), {});
  job->run();
  job->fetch();
  const Value right = job->result();
  job->spoil();
  EXPECT_NE(job->result(), right);
  job->fetch();
  EXPECT_NE(job->result(), right);
}

/// Runs in a separate process, because that process loses its device.
TEST(ModelBackendDeathTest, says_that_a_lost_device_is_lost) {
  if (const auto why = vendor::why_unusable(0)) GTEST_SKIP() << *why;
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto lose = [] {
    const auto backend = make_backend({});
    if (backend->open(0)) std::exit(2);
    Queue queue(vendor::open(0));
    queue.launch(write_one, Shape{}, Pass{}, reinterpret_cast<int*>(16));
    const auto told = backend->device().recover();
    std::exit(told && told->find("lost") != std::string::npos ? 0 : 3);
  };
  EXPECT_EXIT(lose(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace ladder::LADDER_MODEL
