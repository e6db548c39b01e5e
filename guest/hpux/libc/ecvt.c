/* ecvt(3C), fcvt(3C), gcvt(3C), ldcvt(3C). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_digits = 350, most_of_quad = 4933 };
static char digits[most_of_quad + most_digits + 1];

static int within(int count) {
  return count < 0 ? 0 : count > most_digits ? most_digits : count;
}

/* Zeros to the wanted length. */
static char* filled(int length, int wanted) {
  while (length < wanted) digits[length++] = '0';
  digits[length] = 0;
  return digits;
}

static char* of_scientific(const char* from, int count, int* point, int* is_negative) {
  *is_negative = *from == '-';
  from += *is_negative;
  int length = 0, is_zero = 1;
  for (; *from != 0 && *from != 'e'; ++from) {
    if (*from == '.') continue;
    is_zero &= *from == '0';
    digits[length++] = *from;
  }
  *point = is_zero || *from == 0 ? 0 : atoi(from + 1) + 1;
  return filled(count == 0 ? 0 : length, 0);
}

char* ecvt(double value, int count, int* point, int* is_negative) {
  char text[most_digits + 16];
  count = within(count);
  sprintf(text, "%.*e", count == 0 ? 0 : count - 1, value);
  return of_scientific(text, count, point, is_negative);
}
char* _ldecvt(quad value, int count, int* point, int* is_negative) {
  char text[most_digits + 16];
  count = within(count);
  sprintf(text, "%.*Le", count == 0 ? 0 : count - 1, value);
  return of_scientific(text, count, point, is_negative);
}

/* Digits behind the point; those in front of it without the zeros that lead. */
static char* of_fixed(const char* from, int count, int* point, int* is_negative) {
  *is_negative = *from == '-';
  from += *is_negative;
  const char* dot = strchr(from, '.');
  *point = dot != NULL ? dot - from : (int)strlen(from);
  int length = 0, leads = 1;
  for (; *from != 0; ++from) {
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

char* fcvt(double value, int count, int* point, int* is_negative) {
  char text[2 * most_digits];
  count = within(count);
  sprintf(text, "%.*f", count, value);
  return of_fixed(text, count, point, is_negative);
}
char* _ldfcvt(quad value, int count, int* point, int* is_negative) {
  char text[most_of_quad + most_digits + 8];
  count = within(count);
  sprintf(text, "%.*Lf", count, value);
  return of_fixed(text, count, point, is_negative);
}

char* gcvt(double value, int count, char* to) {
  sprintf(to, "%.*g", count, value);
  return to;
}
char* _ldgcvt(quad value, int count, char* to) {
  sprintf(to, "%.*Lg", count, value);
  return to;
}
