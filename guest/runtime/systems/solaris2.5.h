/* Solaris 2.5, whose table has a number for pcsample() already, but no call behind it. */
#define __SunOS_5_5 1
#define _OS_SOLARIS25 1

#include "solaris.h"
