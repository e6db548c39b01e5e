/* HP-UX Reference, iconv(3C). */
#pragma once
#include <stddef.h>
typedef void* iconv_t;
iconv_t iconv_open(const char* to, const char* from);
size_t iconv(iconv_t, char**, size_t*, char**, size_t*);
int iconv_close(iconv_t);
