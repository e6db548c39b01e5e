/* ecvt(3C), fcvt(3C), gcvt(3C). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_digits = 350 };
static char digits[most_digits + 1];

static int within(int count) {
  return count < 0 ? 0 : count > most_digits ? most_digits : count;
}

/* Zeros to the wanted length. */
static char* filled(int length, int wanted) {
  while (length < wanted) digits[length++] = '0';
  digits[length] = 0;
  return digits;
}

char* ecvt(double value, int count, int* point, int* is_negative) {
  char text[most_digits + 16];
  count = within(count);
  sprintf(text, "%.*e", count == 0 ? 0 : count - 1, value);
  const char* from = text;
  *is_negative = *from == '-';
  from += *is_negative;
  int length = 0;
  for (; *from != 0 && *from != 'e'; ++from) {
    if (*from != '.') digits[length++] = *from;
  }
  *point = value == 0 || *from == 0 ? 0 : atoi(from + 1) + 1;
  return filled(count == 0 ? 0 : length, 0);
}

/* Digits behind the point; those in front of it without the zeros that lead. */
char* fcvt(double value, int count, int* point, int* is_negative) {
  char text[2 * most_digits];
  count = within(count);
  sprintf(text, "%.*f", count, value);
  const char* from = text;
  *is_negative = *from == '-';
  from += *is_negative;
  const char* dot = strchr(from, '.');
  *point = dot != NULL ? dot - from : (int)strlen(from);
  int length = 0, leads = 1;
  for (; *from != 0 && length < most_digits; ++from) {
    if (*from == '.') continue;
    if (leads && *from == '0') {
      --*point;
      continue;
    }
    leads = 0;
    digits[length++] = *from;
  }
  if (leads) *point = 0;
  return filled(length, leads ? count : 0);
}

char* gcvt(double value, int count, char* to) {
  sprintf(to, "%.*g", count, value);
  return to;
}
