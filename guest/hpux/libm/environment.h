/* The floating-point status of the processor: where it has what. The processor's own numbers are those of
 * <fenv.h>, as in glibc for it; HP's are not public. */
#pragma once

#pragma GCC visibility push(hidden)
#ifdef __ia64__
/* Intel Itanium Architecture Software Developer's Manual, volume 1, 5.2: ar.fpsr. */
typedef unsigned long long status;
enum { exceptions = 0x3f, flags_at = 13, traps_at = 0, rounding_at = 10, flush_at = 6 };
enum { traps_are_masks = 1 };
enum { to_nearest, downward, upward, toward_zero };
enum { is_invalid = 1, is_denormal = 2, is_division = 4, is_overflow = 8, is_underflow = 16, is_inexact = 32 };
enum { first_status = 0x9804c0270033f }; /* HP-UX and Linux start programs with it */
#else
/* PA-RISC 1.1 Architecture Reference Manual, chapter 10: the left half of fr0. */
typedef unsigned status;
enum { exceptions = 0x1f, flags_at = 27, traps_at = 0, rounding_at = 9, flush_at = 5 };
enum { traps_are_masks = 0 };
enum { to_nearest, toward_zero, upward, downward };
enum { is_inexact = 1, is_underflow = 2, is_overflow = 4, is_division = 8, is_invalid = 16 };
enum { first_status = 0 };
#endif

status _hc_get_status(void);
void _hc_set_status(status);
#pragma GCC visibility pop
