#include <stdlib.h>

int atoi(const char* digits) {
  int value = 0;
  const int negative = *digits == '-';
  if (negative) ++digits;
  for (; *digits >= '0' && *digits <= '9'; ++digits) value = value * 10 + (*digits - '0');
  return negative ? -value : value;
}
