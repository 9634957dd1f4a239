#pragma once

// A sum that keeps what its additions round off (Neumaier, ZAMM 54, 1974; the error of one addition
// by the two-sum of Knuth, The Art of Computer Programming, vol. 2, §4.2.2). To be compiled without
// contraction.
//
// With u the unit roundoff and k the longest chain of additions that an error goes through, at most
// two for each that an element does, the result s' of a sum s over x is within
// |s' - s| <= u |s| + (k u)² Σ|x|, up to higher powers of u: that of twice the precision, rounded
// once (Ogita, Rump and Oishi, SIAM J. Sci. Comput. 26, 2005).

namespace ladder {

/// A sum as it was rounded, and beside it all that was rounded off.
template <class A>
struct Compensated {
  A sum, error;

  Compensated() = default;
  constexpr explicit Compensated(A value, A rounded_off = 0) : sum(value), error(rounded_off) {}
};

/// An operation as the trees take it.
template <class A>
struct CompensatedSum {
  using value = Compensated<A>;

  static constexpr value identity() { return value(0); }

  /// Six operations for the sum and its error, without a branch, and two to add the errors up.
  constexpr value operator()(value a, value b) const {
    const A sum = a.sum + b.sum, of_b = sum - a.sum, of_a = sum - of_b;
    return value(sum, a.error + ((a.sum - of_a) + (b.sum - of_b)) + b.error);
  }

  /// Both parts as one. Where a sum was infinite on the way its error is not a number, and the sum
  /// alone is what an addition one after the other would have left.
  static constexpr A rounded(value all) {
    const bool known = all.error - all.error == 0;
    return known ? all.sum + all.error : all.sum;
  }
};

}  // namespace ladder
