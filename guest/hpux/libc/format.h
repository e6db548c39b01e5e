/* printf(3S) for any place. */
#pragma once
#include <stdarg.h>
#include <stddef.h>

#pragma GCC visibility push(hidden) /* no program sees these */

struct sink {
  void (*put)(struct sink* sink, const char* bytes, size_t count);
  size_t count; /* of all bytes, also of those that the place did not take */
};

/* The number of bytes, or -1. */
int format(struct sink* sink, const char* text, va_list arguments);

#pragma GCC visibility pop
