// The status of the host's floating-point unit, which translated code uses for the guest's.
#pragma once

#ifdef __SSE__
#include <xmmintrin.h>
#endif

namespace hardclock {

// Whatever is computed while this lives leaves no exceptions behind. For functions that translated
// code calls; even a hash table computes with floating-point numbers when it grows.
class KeptHostStatus {
 public:
  KeptHostStatus() = default;
  KeptHostStatus(const KeptHostStatus&) = delete;
  KeptHostStatus& operator=(const KeptHostStatus&) = delete;
#ifdef __SSE__
  ~KeptHostStatus() {
    _mm_setcsr(status_);
  }

 private:
  unsigned status_ = _mm_getcsr();
#else
  ~KeptHostStatus() {}
#endif
};

}  // namespace hardclock
