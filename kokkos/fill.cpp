#include "kokkos/fill.hpp"

#include "kokkos/index.hpp"

namespace ladder::kokkos {
namespace {

template <class T>
struct Generate {
  T* to;
  Recipe recipe;
  std::uint64_t first;

  KOKKOS_FUNCTION void operator()(Index i) const {
    to[i] = element<T>(recipe, first + static_cast<std::uint64_t>(i));
  }
};

}  // namespace

void fill(Queue& queue, void* destination, Type type, const Recipe& recipe, std::uint64_t first,
          std::size_t count) {
  with_type(type, [&]<Type t>() {
    using T = native<t>;
    std::visit(
        [&]<class Space>(const Space& space) {
          Kokkos::parallel_for("fill",
                               Kokkos::RangePolicy<Space, Kokkos::IndexType<Index>>(
                                   space, 0, static_cast<Index>(count)),
                               Generate<T>{static_cast<T*>(destination), recipe, first});
        },
        queue.space());
  });
}

void fill_here(void* destination, Type type, const Recipe& recipe, std::uint64_t first,
               std::size_t count) {
  with_type(type, [&]<Type t>() {
    const Generate<native<t>> generate{static_cast<native<t>*>(destination), recipe, first};
    for (Index i = 0; i < static_cast<Index>(count); ++i) generate(i);
  });
}

}  // namespace ladder::kokkos
