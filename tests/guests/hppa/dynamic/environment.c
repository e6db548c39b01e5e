/* The floating-point environment: fenv(5), fpgetround(3M). */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>

static int checks;

static void check(int ok, const char *what) { printf("%sok %d - %s\n", ok ? "" : "not ", ++checks, what); }

int feclearexcept(int), fetestexcept(int), feraiseexcept(int), fegetround(void), fesetround(int);
int fegetexceptflag(unsigned *, int), fesetexceptflag(const unsigned *, int);
int fegettrapenable(void), fegetflushtozero(void);
void fesettrapenable(int), fesetflushtozero(int);
int fpgetround(void), fpsetround(int), fpgetmask(void), fpsetmask(int), fpgetsticky(void), fpsetsticky(int);
typedef struct {
  unsigned long long bits[2];
} fenv_t;
int fegetenv(fenv_t *), fesetenv(const fenv_t *), feholdexcept(fenv_t *), feupdateenv(const fenv_t *);
enum { FP_RZ, FP_RN, FP_RP, FP_RM }; /* fpgetround(3M) */
enum { FP_X_IMP = 1, FP_X_UFL = 2, FP_X_OFL = 4, FP_X_DZ = 8, FP_X_INV = 16 };

static volatile double zero = 0, one = 1, three = 3, large = 1e308, small = 1e-308;
static volatile double result;

/* 1/3 rounded down and up, and its negative: each mode is told from the others. */
static void check_rounding(int mode, int up, int up_below, const char *what) {
  const double nearest = 0x1.5555555555555p-2, next = 0x1.5555555555556p-2;
  fpsetround(mode);
  volatile double minus = -one, above = one / three, below = minus / three; /* not later, in another mode */
  fpsetround(FP_RN);
  check(above == (up ? next : nearest) && below == (up_below ? -nearest : -next), what);
}

static sigjmp_buf place;
static void trapped(int number) { siglongjmp(place, number); }

/* Whether the operation traps. */
static int traps(int mask) {
  fpsetmask(mask);
  const int number = sigsetjmp(place, 1);
  if (number == 0) {
    result = large * large;
    result = result + one;
  }
  fpsetmask(0);
  fpsetsticky(0);
  return number == SIGFPE;
}

static void check_flags(void) {
  fpsetsticky(0);
  result = one / zero;
  check(fpgetsticky() == FP_X_DZ, "a division by zero");
  result = one / three;
  check(fpsetsticky(0) == (FP_X_DZ | FP_X_IMP) && fpgetsticky() == 0, "flags stay until they are cleared");
  result = zero / zero;
  check(fpgetsticky() == FP_X_INV, "an invalid operation");
  const int invalid = fetestexcept(~0);
  unsigned kept = 0;
  check(invalid != 0 && fegetexceptflag(&kept, invalid) == 0 && feclearexcept(invalid) == 0 && fpgetsticky() == 0, "feclearexcept()");
  check(fesetexceptflag(&kept, invalid) == 0 && fpgetsticky() == FP_X_INV && fetestexcept(invalid) == invalid, "fesetexceptflag()");
  fpsetsticky(0);
  check(feraiseexcept(invalid) == 0 && fpgetsticky() == FP_X_INV, "feraiseexcept()");
  fpsetsticky(0);
  result = large * large;
  check(fpgetsticky() == (FP_X_OFL | FP_X_IMP), "an overflow");
  fpsetsticky(0);
  result = small * small;
  check(fpgetsticky() == (FP_X_UFL | FP_X_IMP), "an underflow");
  fpsetsticky(0);
}

static void check_environments(void) {
  fenv_t held, now;
  const int nearest = fegetround();
  fpsetround(FP_RZ);
  check(fegetround() != nearest && fpgetround() == FP_RZ && fesetround(nearest) == 0 && fpgetround() == FP_RN, "fesetround()");
  check(fesetround(99) != 0 && fesetround(-1) != 0 && fpgetround() == FP_RN, "no mode");
  fpsetmask(FP_X_DZ);
  result = one / three;
  check(feholdexcept(&held) == 0 && fpgetmask() == 0 && fpgetsticky() == 0, "feholdexcept()");
  fpsetround(FP_RP);
  result = zero / zero;
  check(feupdateenv(&held) == 0 && fpgetmask() == FP_X_DZ && fpgetround() == FP_RN && fpgetsticky() == (FP_X_INV | FP_X_IMP), "feupdateenv()");
  fpsetmask(0);
  fpsetsticky(0);
  fegetenv(&now);
  fpsetround(FP_RM);
  check(fesetenv(&now) == 0 && fpgetround() == FP_RN, "fesetenv()");
  fpsetround(FP_RM);
  check(fesetenv(NULL) == 0 && fpgetround() == FP_RN && fpgetmask() == 0, "the default");
}

int main(void) {
  check(fpgetround() == FP_RN && fpgetmask() == 0 && fegettrapenable() == 0 && fegetflushtozero() == 0, "at the start");
  check_rounding(FP_RN, 0, 1, "to nearest");
  check_rounding(FP_RZ, 0, 1, "toward zero");
  check_rounding(FP_RP, 1, 1, "up");
  check_rounding(FP_RM, 0, 0, "down");
  check_flags();
  sigset(SIGFPE, trapped);
  check(!traps(0) && traps(FP_X_OFL) && !traps(FP_X_DZ), "an overflow that traps");
  check_environments();
  fesetflushtozero(1);
  result = small / large;
  check(fegetflushtozero() == 1 && result == 0, "flush to zero");
  fesetflushtozero(0);
  printf("1..%d\n", checks);
  return 0;
}
