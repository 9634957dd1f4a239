#pragma once

// Replaces cpu/cpu_queue.hpp for a foreign processor: the part of a queue that rungs with explicit
// vectors use, without hwloc. Its team is one thread that executes the parts of all workers in
// turn.

#include <cstddef>

#include "common/device/tuned.hpp"
#include "common/problem.hpp"

namespace ladder::cpu {

inline constexpr std::size_t line_bytes = 128;
inline constexpr std::size_t subtrees_per_worker = 8;

template <class T>
struct alignas(line_bytes) Padded {
  T value;
};

class Queue {
 public:
  struct Team {
    template <class Work>
    void run(unsigned workers, const Work& work) {
      for (unsigned worker = 0; worker < workers; ++worker) work(worker);
    }
    template <class Work>
    void run_if_awake(unsigned workers, const Work& work) {
      run(workers, work);
    }
    template <class Take>
    void run_in_turns(unsigned /*workers*/, std::size_t turns, const Take& take) {
      while (turns-- > 0) take(turns);  // no rung may rely on their order
    }
  };
  struct Host {
    Team team_;
    Tuned tuned_;
    Team& team() { return team_; }
    const Tuned& tuned() const { return tuned_; }
  };

  template <class T>
  Padded<T>* partials() {
    return reinterpret_cast<Padded<T>*>(scratch_);
  }
  template <class T>
  T* subtrees() {
    return reinterpret_cast<T*>(subtrees_);
  }
  Host& host() { return host_; }

 private:
  alignas(line_bytes) std::byte scratch_[16 * line_bytes];
  alignas(line_bytes) std::byte subtrees_[16 * subtrees_per_worker * sizeof(double)];
  Host host_;
};

}  // namespace ladder::cpu
