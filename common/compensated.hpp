#pragma once

// A sum that keeps the rounding errors of its additions (Neumaier, ZAMM 54, 1974; the error of one
// addition by the two-sum of Knuth, The Art of Computer Programming, vol. 2, §4.2.2). Must be
// compiled without contraction.
//
// Let u be the unit roundoff and k the longest chain of additions of an error: at most two per
// addition that an element goes through. The result s' of a sum s over x then satisfies
// |s' - s| <= u |s| + (k u)² Σ|x|, up to higher powers of u: as if summed in twice the precision
// and rounded once (Ogita, Rump and Oishi, SIAM J. Sci. Comput. 26, 2005).

namespace ladder {

/// A rounded sum and its accumulated rounding error.
template <class A>
struct Compensated {
  A sum, error;

  Compensated() = default;
  constexpr explicit Compensated(A value, A rounded_off = 0) : sum(value), error(rounded_off) {}
};

/// The operation in the form that the trees use.
template <class A>
struct CompensatedSum {
  using value = Compensated<A>;

  static constexpr value identity() { return value(0); }

  /// Six operations for the sum and its error, branch-free, and two to add up the errors.
  constexpr value operator()(value a, value b) const {
    const A sum = a.sum + b.sum, of_b = sum - a.sum, of_a = sum - of_b;
    return value(sum, a.error + ((a.sum - of_a) + (b.sum - of_b)) + b.error);
  }

  /// Sum and error as one value. If a sum was infinite on the way, its error is not a number; the
  /// result is then the sum alone, as plain additions would give.
  static constexpr A rounded(value all) {
    const bool known = all.error - all.error == 0;
    return known ? all.sum + all.error : all.sum;
  }
};

}  // namespace ladder
