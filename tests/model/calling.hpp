#pragma once

// Shared parts of the tests that call the header as other code does.

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tests/elements.hpp"
#include "tests/model/on_device.hpp"
// clang-format off
#include LADDER_TEXT_OF(ladder/LADDER_MODEL/reduce.hpp)
#include LADDER_TEXT_OF(ladder/LADDER_MODEL/batch.hpp)
// clang-format on

namespace ladder::LADDER_MODEL {

template <>
inline constexpr bool is_floating<Number> = true;

/// A graph of what `enqueue` puts on the stream, for repeated launches.
class Graph {
 public:
  template <class Enqueue>
  Graph(Runtime::Stream stream, const Enqueue& enqueue) : stream_(stream) {
    const auto captured = graph_of(stream, enqueue);
    Runtime::Replay replay = nullptr;
    Runtime::check(LADDER_GPU(GraphInstantiateWithFlags)(&replay, captured.get(), 0));
    replay_.reset(replay);
  }
  void launch() const { Runtime::check(LADDER_GPU(GraphLaunch)(replay_.get(), stream_)); }

 private:
  Runtime::Stream stream_;
  Runtime::Owned<Runtime::Replay> replay_;
};

class Calling : public OnDevice {
 protected:
  void SetUp() override {
    OnDevice::SetUp();
    if (IsSkipped()) return;
    stream = static_cast<Runtime::Stream>(device->stream());
    memory = device->allocate(workspace_bytes());
    result = device->allocate(64);
    mapped = device->allocate_pinned(64);
    ok(make_workspace(&workspace, memory->data(), workspace_bytes(), stream));
  }
  void TearDown() override {
    if (device != nullptr) device->synchronize();
  }

  /// Throws, and so fails the test, unless `code` is a success.
  static void ok(Runtime::Code code) { Runtime::check(code); }
  static bool is_invalid_value(Runtime::Code code) {
    return std::string_view(LADDER_GPU(GetErrorName)(code)).ends_with("ErrorInvalidValue");
  }

  template <class T>
  T* on_device(const std::vector<T>& values) {
    pieces.push_back(device->allocate(values.size() * sizeof(T)));
    device->upload(pieces.back()->data(), values.data(), values.size() * sizeof(T));
    return reinterpret_cast<T*>(pieces.back()->data());
  }
  /// Returns each kernel with each kind of grid that it may have.
  static std::vector<Choice> choices() {
    std::vector<Choice> all;
    for (const auto& known : instances) {
      for (const int per_unit : {Choice::alone, Choice::one_pass, 1, 3}) {
        if (known.alone == (per_unit == Choice::alone))
          all.push_back({known.block, known.vectors, per_unit});
      }
    }
    return all;
  }
  template <class A>
  A* place() {
    device->enqueue_set(result->data(), 0x5A, 64);
    return reinterpret_cast<A*>(result->data());
  }
  template <class A>
  A got() {
    std::array<std::byte, sizeof(A)> bytes;
    device->download(bytes.data(), result->data(), sizeof bytes);
    return std::bit_cast<A>(bytes);
  }
  /// Returns the result of a call; `choice`: none or one.
  template <class In, class A, class Op, class... Choice>
  A reduced(In x, std::size_t n, Op op, A identity, const Choice&... choice) {
    ok(reduce(workspace, x, n, place<A>(), op, identity, stream, choice...));
    return got<A>();
  }
  /// Returns the result for the number of elements that device memory holds at `n`.
  template <class In, class Integer, class A, class Op>
  A reduced(In x, const Integer* n, std::size_t most, Op op, A identity) {
    ok(reduce(workspace, x, n, most, place<A>(), op, identity, stream));
    return got<A>();
  }
  /// Launches one kernel instead of instantiating one per choice, which saves compile time.
  template <class In, class A, class Op>
  A reduced_by_one_kernel(In x, std::size_t n, Op op, A identity) {
    using namespace reduce_detail;
    reduce_detail::reduce<64, 2, true, In, Given, A*, A, Op><<<1, 64, 0, stream>>>(
        x, Given{static_cast<Index>(n)}, workspace, place<A>(), op, identity);
    ok(Runtime::last_error());
    return got<A>();
  }
  /// False if a call with these arguments returns the error of an invalid value.
  template <class... Argument>
  bool takes(const Argument&... arguments) {
    return !is_invalid_value(reduce(arguments..., stream));
  }
  template <class A>
  OnHost<A> on_host(std::size_t word) const {
    return {reinterpret_cast<std::uint64_t*>(mapped->data()) + word};
  }
  static Runtime::Owned<Runtime::Stream> another_stream() {
    Runtime::Stream other = nullptr;
    ok(LADDER_GPU(StreamCreateWithFlags)(&other, LADDER_GPU(StreamNonBlocking)));
    return Runtime::Owned<Runtime::Stream>(other);
  }
  void number_is(std::uint64_t calls) { device->upload(memory->data(), &calls, sizeof calls); }

  Runtime::Stream stream = nullptr;
  std::unique_ptr<Buffer> memory, result, mapped;
  Workspace workspace;
  std::vector<std::unique_ptr<Buffer>> pieces;
};

// For tests/calling/: a GPU has one memory space.
struct OneGpu {};
using Spaces = testing::Types<OneGpu>;
struct Named {
  template <class>
  static std::string GetName(int) {
    return "gpu";
  }
};
template <class>
class CallingOn : public Calling {};

/// Fixture for calls of many reductions.
template <class S>
class BatchCallingOn : public CallingOn<S> {
 protected:
  static constexpr int many = 200;  ///< calls

  void SetUp() override {
    Calling::SetUp();
    if (this->IsSkipped()) return;
    ASSERT_TRUE(made_with(batch_workspace_bytes()));
  }
  /// Makes a workspace of `bytes`, `past` bytes after an aligned address; false if refused.
  bool made_with(std::size_t bytes, std::size_t past = 0) {
    memory_ = this->device->allocate(bytes + past);
    return taken(make_batch_workspace(&batch, memory_->data() + past, bytes, this->stream));
  }
  /// Calls reduce_rows(); false if the arguments are refused.
  template <class In, class A, class Op>
  bool rows(const BatchWorkspace& by, const In& x, std::size_t count, std::size_t length,
            std::size_t pitch, A* to, Op op, A identity) {
    return taken(reduce_rows(by, x, count, length, pitch, to, op, identity, this->stream));
  }
  template <class In, class A, class Op>
  bool columns(const BatchWorkspace& by, const In& x, std::size_t rows, std::size_t count,
               std::size_t pitch, A* to, Op op, A identity) {
    return taken(reduce_columns(by, x, rows, count, pitch, to, op, identity, this->stream));
  }
  template <class In, class A, class Op>
  bool segments(const BatchWorkspace& by, const In& x, const int* offsets, std::size_t count,
                std::size_t n, A* to, Op op, A identity) {
    return taken(reduce_segments(by, x, offsets, count, n, to, op, identity, this->stream));
  }
  /// Returns memory for results, filled with `before`.
  template <class A>
  A* results(std::size_t count, const A& before) {
    return this->on_device(std::vector<A>(count, before));
  }
  template <class A>
  std::vector<A> found(const A* from, std::size_t count, const A& before) {
    std::vector<A> values(count, before);
    this->device->download(values.data(), from, count * sizeof(A));
    return values;
  }

  BatchWorkspace batch;

 private:
  static bool taken(Runtime::Code code) {
    if (Calling::is_invalid_value(code)) return false;
    Calling::ok(code);
    return true;
  }

  std::unique_ptr<Buffer> memory_;
};

}  // namespace ladder::LADDER_MODEL
