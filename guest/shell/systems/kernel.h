// The call of the kernel: processors/*.S.
#pragma once

// The result, or the number of an error negated; then kernel_second is the second result.
long kernel(long number, long a, long b, long c, long d, long e);
extern long kernel_second;

#define CALL0(n) kernel(n, 0, 0, 0, 0, 0)
#define CALL1(n, a) kernel(n, (long)(a), 0, 0, 0, 0)
#define CALL2(n, a, b) kernel(n, (long)(a), (long)(b), 0, 0, 0)
#define CALL3(n, a, b, c) kernel(n, (long)(a), (long)(b), (long)(c), 0, 0)
#define CALL4(n, a, b, c, d) kernel(n, (long)(a), (long)(b), (long)(c), (long)(d), 0)
#define CALL5(n, a, b, c, d, e) kernel(n, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e))
