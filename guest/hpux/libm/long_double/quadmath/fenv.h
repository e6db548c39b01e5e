/* ../../environment.c, for those of libquadmath that round to nearest in part, whatever the program rounds to. */
#pragma once
#include "environment.h"
typedef status fenv_t;
#define FE_TONEAREST to_nearest
int fegetround(void), fesetround(int);
int fegetenv(fenv_t*), fesetenv(const fenv_t*), feholdexcept(fenv_t*), feupdateenv(const fenv_t*);
