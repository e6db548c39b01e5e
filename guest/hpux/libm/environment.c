/* fenv(5), and fpgetround(3M) with its own numbers, which are in the manual page. */
#include "environment.h"

#include <stddef.h>

enum { rounding_mask = 3 };

/* Of the exceptions, as the processor's flags or traps have them. */
static int field(status now, int at) {
  return now >> at & exceptions;
}
static void set_field(int at, int kept, int set) {
  const status now = _hc_get_status();
  const status bits = (field(now, at) & kept) | set;
  _hc_set_status((now & ~((status)exceptions << at)) | bits << at);
}

/* ---- fenv(5) */

int feclearexcept(int which) {
  set_field(flags_at, ~which, 0);
  return 0;
}
int fetestexcept(int which) {
  return field(_hc_get_status(), flags_at) & which;
}
int fegetexceptflag(unsigned* to, int which) {
  *to = fetestexcept(which);
  return 0;
}
int fesetexceptflag(const unsigned* from, int which) {
  which &= exceptions;
  set_field(flags_at, ~which, *from & which);
  return 0;
}

static volatile double sink;

/* By operations that have them, so that they trap if they may. Overflow and underflow are inexact, too. */
int feraiseexcept(int which) {
  static const volatile double zero = 0, one = 1, large = 1e308, small = 1e-308;
  if (which & is_invalid) sink = zero / zero;
  if (which & is_division) sink = one / zero;
  if (which & is_overflow) sink = large * large;
  if (which & is_underflow) sink = small * small;
  if (which & is_inexact) sink = one / (one + one + one);
  return 0;
}

int fegetround(void) {
  return _hc_get_status() >> rounding_at & rounding_mask;
}
int fesetround(int mode) {
  if (mode < 0 || mode > rounding_mask) return -1;
  const status cleared = _hc_get_status() & ~((status)rounding_mask << rounding_at);
  _hc_set_status(cleared | (status)mode << rounding_at);
  return 0;
}

int fegetenv(status* to) {
  *to = _hc_get_status();
  return 0;
}
/* A null pointer, or -1, stands for FE_DFL_ENV. */
int fesetenv(const status* from) {
  const int is_default = from == NULL || from == (const status*)-1;
  _hc_set_status(is_default ? first_status : *from);
  return 0;
}
int feholdexcept(status* to) {
  fegetenv(to);
  set_field(flags_at, 0, 0);
  set_field(traps_at, 0, traps_are_masks ? exceptions : 0);
  return 0;
}
int feupdateenv(const status* from) {
  const int raised = fetestexcept(exceptions);
  fesetenv(from);
  return feraiseexcept(raised);
}

/* HP-UX Floating-Point Guide, chapter 5: the exceptions that trap; whether denormalized numbers are zeros. */
int fegettrapenable(void) {
  const int bits = field(_hc_get_status(), traps_at);
  return traps_are_masks ? ~bits & exceptions : bits;
}
void fesettrapenable(int which) {
  which &= exceptions;
  set_field(traps_at, 0, traps_are_masks ? ~which & exceptions : which);
}
int fegetflushtozero(void) {
  return _hc_get_status() >> flush_at & 1;
}
void fesetflushtozero(int wanted) {
  const status cleared = _hc_get_status() & ~((status)1 << flush_at);
  _hc_set_status(cleared | (status)(wanted != 0) << flush_at);
}

/* ---- fpgetround(3M) */

/* By FP_RZ, FP_RN, FP_RP and FP_RM, which are 0 to 3. */
static const unsigned char modes[] = {toward_zero, to_nearest, upward, downward};

int fpgetround(void) {
  const int mode = fegetround();
  int number = 0;
  while (modes[number] != mode) ++number;
  return number;
}
int fpsetround(int number) {
  const int old = fpgetround();
  if (number >= 0 && number <= rounding_mask) fesetround(modes[number]);
  return old;
}

/* FP_X_INV, FP_X_DZ, FP_X_OFL, FP_X_UFL and FP_X_IMP: bits from the left, as PA-RISC's flags are; Inferno's
 * programs for HP-UX pass these to fpsetmask(). */
static const unsigned char kinds[] = {is_inexact, is_underflow, is_overflow, is_division, is_invalid};
enum { kind_count = 5 };

static int to_kinds(int bits) {
  int result = 0;
  for (int i = 0; i < kind_count; ++i) result |= (bits & kinds[i]) != 0 ? 1 << i : 0;
  return result;
}
static int from_kinds(int result) {
  int bits = 0;
  for (int i = 0; i < kind_count; ++i) bits |= result >> i & 1 ? kinds[i] : 0;
  return bits;
}

int fpgetsticky(void) {
  return to_kinds(field(_hc_get_status(), flags_at));
}
int fpsetsticky(int wanted) {
  const int old = fpgetsticky();
  set_field(flags_at, 0, from_kinds(wanted));
  return old;
}
int fpgetmask(void) {
  return to_kinds(fegettrapenable());
}
int fpsetmask(int wanted) {
  const int old = fpgetmask();
  fesettrapenable(from_kinds(wanted));
  return old;
}

int fpgetfastmode(void) {
  return fegetflushtozero();
}
int fpsetfastmode(int wanted) {
  const int old = fegetflushtozero();
  fesetflushtozero(wanted);
  return old;
}

status fpgetcontrol(void) {
  return _hc_get_status();
}
status fpsetcontrol(status wanted) {
  const status old = _hc_get_status();
  _hc_set_status(wanted);
  return old;
}
