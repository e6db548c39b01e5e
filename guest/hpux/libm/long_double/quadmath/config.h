/* What libquadmath's configure would find of fenv.h here. */
#pragma once
#define HAVE_FENV_H
#define HAVE_FEHOLDEXCEPT
#define HAVE_FESETENV
#define HAVE_FESETROUND
#define HAVE_FEUPDATEENV
#define HAVE_MATH_H_SIGNGAM
