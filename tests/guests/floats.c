// Floating point in single and double precision, printed as bit patterns: arithmetic with special
// values, conversions, comparisons, square roots (MIPS II), a matrix product. The same under IRIX
// and Linux; expected/floats.txt is what qemu-mips prints. MIPS NaNs are the legacy ones: a set
// first fraction bit means signalling.
#include <stdint.h>
#include <stdio.h>

#define ARRAY_LENGTH(array) (sizeof(array) / sizeof((array)[0]))

union single {
  float f;
  uint32_t bits;
};
union twin {
  double d;
  uint64_t bits;
};

static uint32_t bits32(float f) {
  return ((union single){.f = f}).bits;
}
static unsigned long long bits64(double d) {
  return ((union twin){.d = d}).bits;
}
static float single(uint32_t bits) {
  return ((union single){.bits = bits}).f;
}
static double twin(uint64_t bits) {
  return ((union twin){.bits = bits}).d;
}

// 0, -0, 1, -1.5, pi, 1/3, 1e10, largest, smallest normal, infinities.
static const uint32_t singles[] = {0x00000000, 0x80000000, 0x3f800000, 0xbfc00000,
                                   0x40490fdb, 0x3eaaaaab, 0x501502f9, 0x7f7fffff,
                                   0x00800000, 0x7f800000, 0xff800000};
static const uint64_t doubles[] = {0x0000000000000000, 0x8000000000000000, 0x3ff0000000000000,
                                   0xbff8000000000000, 0x400921fb54442d18, 0x3fd5555555555555,
                                   0x4202a05f20000000, 0x7fefffffffffffff, 0x0010000000000000,
                                   0x7ff0000000000000, 0xfff0000000000000};

static void test_single_arithmetic(void) {
  for (size_t i = 0; i < ARRAY_LENGTH(singles); ++i) {
    for (size_t j = 0; j < ARRAY_LENGTH(singles); ++j) {
      float a = single(singles[i]);
      float b = single(singles[j]);
      printf("s %08x %08x  + %08x - %08x * %08x / %08x  %d%d%d\n", bits32(a), bits32(b),
             bits32(a + b), bits32(a - b), bits32(a * b), bits32(a / b), a < b, a <= b, a == b);
    }
  }
}

static void test_double_arithmetic(void) {
  for (size_t i = 0; i < ARRAY_LENGTH(doubles); ++i) {
    for (size_t j = 0; j < ARRAY_LENGTH(doubles); ++j) {
      double a = twin(doubles[i]);
      double b = twin(doubles[j]);
      printf("d %016llx %016llx  + %016llx - %016llx * %016llx / %016llx  %d%d%d\n", bits64(a),
             bits64(b), bits64(a + b), bits64(a - b), bits64(a * b), bits64(a / b), a < b, a <= b,
             a == b);
    }
  }
}

static __attribute__((noipa)) int32_t rounded(double value) {
  int32_t word;
  double converted;
  __asm__("cvt.w.d %1, %2\n\tmfc1 %0, %1\n\tnop" : "=r"(word), "=&f"(converted) : "f"(value));
  return word;
}

static void test_conversions(void) {
  static const double values[] = {0.0,  0.5,   1.5,    2.5,          -0.5,          -1.5,
                                  -2.5, 99.99, -99.99, 2147483646.5, -2147483648.0, 1e-300};
  static const int32_t words[] = {0, 1, -1, 16777217, -16777219, INT32_MAX, INT32_MIN};
  for (size_t i = 0; i < ARRAY_LENGTH(values); ++i) {
    double d = values[i];
    printf("convert %016llx: truncated %d rounded %d single %08x\n", bits64(d), (int32_t)d,
           rounded(d), bits32((float)d));
  }
  for (size_t i = 0; i < ARRAY_LENGTH(words); ++i) {
    int32_t w = words[i];
    printf("convert %d: single %08x double %016llx unsigned %016llx\n", w, bits32((float)w),
           bits64((double)w), bits64((double)(uint32_t)w));
  }
  printf("unsigned from 4e9: %u\n", (uint32_t)twin(0x41edcd6500000000));
}

static void test_nan(void) {
  volatile float quiet = single(0x7fbfffff);
  volatile float infinity = single(0x7f800000);
  volatile double zero = 0;
  printf("nan %d%d%d%d %d\n", quiet<1, quiet <= 1, quiet == quiet, quiet> 1, quiet != quiet);
  printf("nan inf-inf %08x 0*inf %016llx\n", bits32(infinity - infinity), bits64(zero * infinity));
}

static __attribute__((noipa)) double divide(double a, double b) {
  return a / b;
}
static __attribute__((noipa)) void set_control(uint32_t value) {
  __asm__ volatile("ctc1 %0, $31" ::"r"(value));
}

static void test_rounding_modes(void) {
  for (uint32_t mode = 0; mode < 4; ++mode) {
    set_control(mode);
    double a = divide(1.0, 3.0);
    double b = divide(-1.0, 3.0);
    int32_t up = rounded(2.5);
    int32_t down = rounded(-2.5);
    set_control(0);
    printf("mode %u: %016llx %016llx %d %d\n", mode, bits64(a), bits64(b), up, down);
  }
}

#if __mips >= 2
static void test_roots(void) {
  for (size_t i = 0; i < ARRAY_LENGTH(doubles); ++i) {
    double d;
    float f;
    if (i == 1 || i == 3 || i == 10) continue;  // negative
    __asm__("sqrt.d %0, %1" : "=f"(d) : "f"(twin(doubles[i])));
    __asm__("sqrt.s %0, %1" : "=f"(f) : "f"(single(singles[i])));
    printf("sqrt %016llx %08x\n", bits64(d), bits32(f));
  }
}
#endif

static void test_matrix(void) {
  enum { N = 12 };
  static double a[N][N], b[N][N], c[N][N];
  uint64_t sum = 0;
  for (int i = 0; i < N; ++i) {
    for (int j = 0; j < N; ++j) {
      a[i][j] = 1.0 / (i + j + 1);
      b[i][j] = (i - j) * 0.37;
    }
  }
  for (int i = 0; i < N; ++i) {
    for (int j = 0; j < N; ++j) {
      for (int k = 0; k < N; ++k) c[i][j] += a[i][k] * b[k][j];
      sum = sum * 31 + bits64(c[i][j]);
    }
  }
  printf("matrix %016llx corner %016llx\n", (unsigned long long)sum, bits64(c[N - 1][0]));
}

int main(void) {
  test_single_arithmetic();
  test_double_arithmetic();
  test_conversions();
  test_nan();
  test_rounding_modes();
#if __mips >= 2
  test_roots();
#endif
  test_matrix();
  return 0;
}
