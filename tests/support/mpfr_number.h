// MPFR's numbers for oracles of floating point.
#pragma once

#include <mpfr.h>

namespace hardclock::support {

class MpfrNumber {
 public:
  explicit MpfrNumber(mpfr_prec_t precision) { mpfr_init2(value_, precision); }
  ~MpfrNumber() { mpfr_clear(value_); }
  MpfrNumber(const MpfrNumber&) = delete;
  MpfrNumber& operator=(const MpfrNumber&) = delete;

  operator mpfr_ptr() { return value_; }

 private:
  mpfr_t value_;
};

inline void allow_every_exponent() {
  mpfr_set_emin(mpfr_get_emin_min());
  mpfr_set_emax(mpfr_get_emax_max());
}

}  // namespace hardclock::support
