#pragma once

// The inputs, resident where they are read: one buffer a memory space, type and kind of data, as
// large as the largest n, every smaller size its prefix.

#include <memory>
#include <string>
#include <vector>

#include "bench/data_file.hpp"
#include "bench/plan.hpp"
#include "common/reference.hpp"

namespace ladder::bench {

/// One resident buffer.
class Input {
 public:
  /// Allocates and fills `n` elements. With `guarded` there is room for the guards behind them;
  /// without, the allocation ends with the last element, and a memory checker sees a read past it.
  Input(Backend& backend, Type type, const Recipe& recipe, std::size_t n, const DataFile* file,
        bool guarded);

  const std::byte* data() const { return buffer_->data(); }
  std::size_t n() const { return n_; }
  const Recipe& recipe() const { return recipe_; }

  /// For one sample of the first n elements: guards behind them, and the deciding element at
  /// `planted` (n: none).
  void dress(std::size_t n, Operation operation, std::size_t planted);
  /// Undoes `dress`.
  void restore(std::size_t n, std::size_t planted);

 private:
  std::byte* at(std::size_t i) const { return buffer_->data() + i * facts(type_).bytes; }
  void write(std::size_t first, std::size_t count);

  Backend& backend_;
  Type type_;
  Recipe recipe_;
  std::size_t n_;
  std::size_t capacity_;  ///< with the room for guards
  const DataFile* file_;
  std::unique_ptr<Buffer> buffer_;
};

}  // namespace ladder::bench
