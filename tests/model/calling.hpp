#pragma once

// What the tests share that call the header as other code does.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "tests/model/on_device.hpp"
// clang-format off
#include LADDER_TEXT_OF(ladder/LADDER_MODEL/reduce.hpp)
// clang-format on

namespace ladder::LADDER_MODEL {

inline constexpr std::uint64_t no_result = 0x5A5A5A5A5A5A5A5A;

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
    return std::string_view(Runtime::name(code)).ends_with("ErrorInvalidValue");
  }

  template <class T>
  T* on_device(const std::vector<T>& values) {
    pieces.push_back(device->allocate(values.size() * sizeof(T)));
    device->upload(pieces.back()->data(), values.data(), values.size() * sizeof(T));
    return reinterpret_cast<T*>(pieces.back()->data());
  }
  template <class A>
  A* place() {
    device->enqueue_set(result->data(), 0x5A, 64);
    return reinterpret_cast<A*>(result->data());
  }
  template <class A>
  A got() {
    A value{};
    device->download(&value, result->data(), sizeof value);
    return value;
  }
  template <class A>
  OnHost<A> on_host(std::size_t word) const {
    return {reinterpret_cast<std::uint64_t*>(mapped->data()) + word};
  }
  void number_is(std::uint64_t calls) { device->upload(memory->data(), &calls, sizeof calls); }

  Runtime::Stream stream = nullptr;
  std::unique_ptr<Buffer> memory, result, mapped;
  Workspace workspace;
  std::vector<std::unique_ptr<Buffer>> pieces;
};

}  // namespace ladder::LADDER_MODEL
