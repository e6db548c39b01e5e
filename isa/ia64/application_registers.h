// The numbers of the application registers that have a meaning (SDM 1, table 3-3); 0 to 7 are ar.k0
// to ar.k7.
#pragma once

namespace hardclock::ia64 {

inline constexpr unsigned ar_rsc = 16, ar_bsp = 17, ar_bspstore = 18, ar_rnat = 19, ar_fcr = 21,
                          ar_eflag = 24, ar_csd = 25, ar_ssd = 26, ar_cflg = 27, ar_fsr = 28,
                          ar_fir = 29, ar_fdr = 30, ar_ccv = 32, ar_unat = 36, ar_fpsr = 40,
                          ar_itc = 44, ar_ruc = 45, ar_pfs = 64, ar_lc = 65, ar_ec = 66;

}  // namespace hardclock::ia64
