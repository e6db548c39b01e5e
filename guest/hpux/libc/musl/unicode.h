/* musl's tables of Unicode under names of their own: those of <wctype.h> depend on the locale. */
#pragma once
#include <wchar.h>
#include "../codeset.h"
typedef const void* locale_t;
#define iswalpha _hc_is_letter
#define iswpunct _hc_is_mark
#define towlower _hc_to_lower
#define towupper _hc_to_upper
#define __iswalpha_l _hc_iswalpha_l
#define __iswpunct_l _hc_iswpunct_l
#define __towlower_l _hc_towlower_l
#define __towupper_l _hc_towupper_l
