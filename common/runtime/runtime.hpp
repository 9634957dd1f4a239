#pragma once

// A GPU's run-time library, CUDA's or HIP's, by its words: what is written over them is written
// once, compiled for each.

#include <cstddef>
#include <memory>
#include <source_location>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace ladder::runtime {

/// Bytes of shared memory that a block of every kernel can have, static and dynamic. For more the
/// library has to be asked.
inline constexpr std::size_t shared_without_asking = 48 << 10;

/// The words of one library (gpu_runtime.hpp), with errors that are thrown. `Owner` is the device
/// or the model whose code this is: each has instances of its own of all that is written over it,
/// since a linker keeps one of those with the same name, and HIP's words on NVIDIA are not CUDA's.
template <class Words, class Owner>
struct Runtime : Words {
  using typename Words::Code, typename Words::Event, typename Words::Graph, typename Words::Stream;

  /// What the library answered. The error is still set: `recover` of the device clears it.
  class Error : public std::runtime_error {
   public:
    Error(Code code, const std::string& sentence) : std::runtime_error(sentence), code_(code) {}
    Code code() const { return code_; }

   private:
    Code code_;
  };

  /// Throws `Error`, which names the place that asked, unless `code` is a success.
  static void check(Code code, std::source_location where = std::source_location::current()) {
    if (code == Words::success) [[likely]]
      return;
    const std::string file = where.file_name();
    throw Error(code, std::string(Words::text(code)) + " (" + Words::name(code) + ", " +
                          file.substr(file.find_last_of('/') + 1) + ":" +
                          std::to_string(where.line()) + ")");
  }

  /// Destroys with the owner. Nobody is left to be told of an error: on a lost device it fails.
  struct Destroy {
    template <class Handle>
    void operator()(Handle handle) const noexcept {
      (void)Words::destroy(handle);
    }
  };
  template <class Handle>
  using Owned = std::unique_ptr<std::remove_pointer_t<Handle>, Destroy>;

  struct Free {
    void operator()(std::byte* memory) const noexcept { (void)Words::free(memory); }
  };
  struct FreePinned {
    void operator()(std::byte* memory) const noexcept { (void)Words::free_pinned(memory); }
  };
};

}  // namespace ladder::runtime
