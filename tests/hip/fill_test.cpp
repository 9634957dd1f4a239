#include "hip/fill.hpp"

#include <cstring>
#include <vector>

#include "common/data.hpp"
#include "common/hip_runtime/memory.hpp"
#include "common/value.hpp"
#include "tests/hip/on_device.hpp"

namespace ladder::hip {
namespace {

class FillTest : public OnDevice {};

TEST_F(FillTest, makes_the_bits_that_the_host_makes) {
  constexpr std::size_t count = 10007;
  constexpr std::uint64_t first = (std::uint64_t{1} << 31) - 5000;
  Queue queue(0);
  const hip_runtime::Memory memory = hip_runtime::allocate((count + 1) * sizeof(double));
  for (const auto& type : types) {
    for (const auto& operation : operations) {
      if (operation.integers_only && !type.integer) continue;
      for (const Data data : {Data::exact, Data::uniform, Data::normal}) {
        const Recipe recipe{data, operation.operation, 42};
        with_type(type.type, [&]<Type t>() {
          using T = native<t>;
          auto* const x = reinterpret_cast<T*>(memory.get());
          check(hipMemsetAsync(x, 0x77, (count + 1) * sizeof(T), queue.stream()));
          fill(queue, x, t, recipe, first, count);
          std::vector<T> got(count + 1);
          check(hipMemcpyAsync(got.data(), x, got.size() * sizeof(T), hipMemcpyDeviceToHost,
                               queue.stream()));
          queue.synchronize();
          std::size_t wrong = 0;
          for (std::size_t i = 0; i < count; ++i) {
            wrong += Value::of(t, got[i]) == Value::of(t, element<T>(recipe, first + i)) ? 0U : 1U;
          }
          EXPECT_EQ(wrong, 0U) << type.name << " " << operation.name << " " << name(data);
          T untouched;
          std::memset(&untouched, 0x77, sizeof untouched);
          EXPECT_EQ(Value::of(t, got[count]), Value::of(t, untouched)) << "past the end";
        });
      }
    }
  }
}

}  // namespace
}  // namespace ladder::hip
