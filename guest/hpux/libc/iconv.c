/* iconv(3C). */
#include <errno.h>
#include <iconv.h>
#include <stdint.h>

#include "codeset.h"

/* A conversion is told by a number: no state is kept. */
iconv_t iconv_open(const char* to, const char* from) {
  int target = _hc_find_codeset(to), source = _hc_find_codeset(from);
  if (target < 0 || source < 0) {
    errno = EINVAL;
    return (iconv_t)-1;
  }
  return (iconv_t)(intptr_t)(1 + target * _hc_codesets + source);
}

static int is_open(iconv_t conversion) {
  intptr_t number = (intptr_t)conversion;
  return number >= 1 && number <= _hc_codesets * _hc_codesets;
}

static size_t fail(int error) {
  errno = error;
  return -1;
}

size_t iconv(iconv_t conversion, char** from, size_t* from_left, char** to, size_t* to_left) {
  if (!is_open(conversion)) return fail(EBADF);
  int number = (int)(intptr_t)conversion - 1;
  if (from == NULL || *from == NULL) return 0;
  while (*from_left != 0) {
    uint32_t c;
    int taken = _hc_decode(number % _hc_codesets, (const unsigned char*)*from, *from_left, &c);
    if (taken <= 0) return fail(taken == _hc_too_short ? EINVAL : EILSEQ);
    int made = _hc_encode(number / _hc_codesets, c, (unsigned char*)*to, *to_left);
    if (made <= 0) return fail(made == _hc_too_short ? E2BIG : EILSEQ);
    *from += taken;
    *from_left -= taken;
    *to += made;
    *to_left -= made;
  }
  return 0;
}

int iconv_close(iconv_t conversion) {
  return is_open(conversion) ? 0 : (int)fail(EBADF);
}
