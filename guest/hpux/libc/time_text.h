/* What strftime() and strptime() both know of their conversions. */
#pragma once
#include <stddef.h>

/* The conversions that this one is short for, in the locale C; null: for none. */
static const char* expansion_of(char letter) {
  switch (letter) {
    case 'c':
      return "%a %b %d %H:%M:%S %Y";
    case 'D':
    case 'x':
      return "%m/%d/%y";
    case 'r':
      return "%I:%M:%S %p";
    case 'R':
      return "%H:%M";
    case 'T':
    case 'X':
      return "%H:%M:%S";
    default:
      return NULL;
  }
}
