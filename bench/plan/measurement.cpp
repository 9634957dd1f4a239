#include <algorithm>
#include <bit>

#include "bench/plan/plan.hpp"
#include "bench/text.hpp"
#include "common/size_text.hpp"

namespace ladder::bench {

std::string Measurement::name() const {
  const auto& step = info().rung;
  std::string axes;
  for (const auto& axis : tuning_axes) {
    if ((step.axes & axis.bit) != 0) axes += concat("/", axis.name, ":", tuning.*axis.member);
  }
  return concat("reduce/", backend->name(), "/", full_name(step), "/", facts(type).name, "/",
                facts(operation).name, shape.text.empty() ? "" : "/" + shape.text, "/n:", n, axes,
                "/", ladder::name(data), plants() ? "/place:random" : "", "/", bench::name(cache),
                "/", bench::name(scope));
}

std::string Measurement::id() const { return hash_of(name()); }

std::string Measurement::tuning_text() const {
  std::vector<std::string> parts;
  for (const auto& axis : tuning_axes) {
    if ((info().rung.axes & axis.bit) != 0)
      parts.push_back(concat(axis.name.front(), tuning.*axis.member));
  }
  return join(parts, " ");
}

std::string Measurement::size_text() const {
  return concat(shape.text, shape.text.empty() ? "" : ", ", "n = ", elements_text(n), " (",
                ladder::size_text(bytes()), ")");
}

bool share_input(const Measurement& a, const Measurement& b) {
  return a.type == b.type && a.data == b.data && &a.device() == &b.device() &&
         (a.data != Data::exact || a.operation == b.operation);
}

std::size_t memory_size(const DeviceFacts& facts) {
  return std::bit_ceil(std::max<std::size_t>(std::size_t{1} << 30, 4 * facts.last_level_cache));
}

std::size_t uncached_size(const DeviceFacts& facts) {
  return std::max<std::size_t>(std::size_t{256} << 20, 4 * facts.last_level_cache);
}

}  // namespace ladder::bench
