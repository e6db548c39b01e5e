/* strptime(3C) in the C locale. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "time_text.h"

/* The number of the name that the text begins with, whole or its first three letters; -1: none. */
static int find_name(const char** text, const char* const* names, int count) {
  for (int i = 0; i < count; ++i) {
    size_t whole = strlen(names[i]);
    size_t length = strncasecmp(*text, names[i], whole) == 0 ? whole
                    : strncasecmp(*text, names[i], 3) == 0   ? 3
                                                             : 0;
    if (length == 0) continue;
    *text += length;
    return i;
  }
  return -1;
}

static int find_day(const char** text) {
  static const char* const days[] = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                     "Thursday", "Friday", "Saturday"};
  return find_name(text, days, 7);
}

static int find_month(const char** text) {
  static const char* const months[] = {"January",   "February", "March",    "April",
                                       "May",       "June",     "July",     "August",
                                       "September", "October",  "November", "December"};
  return find_name(text, months, 12);
}

/* A number of at most that many digits; -1: none, or not from `least` to `most`. */
static int read_digits(const char** text, int digits, int least, int most) {
  const char* at = *text;
  while (isspace((unsigned char)*at)) ++at;
  int value = 0;
  const char* const first = at;
  for (; digits > 0 && isdigit((unsigned char)*at); --digits) value = value * 10 + (*at++ - '0');
  if (at == first || value < least || value > most) return -1;
  *text = at;
  return value;
}

/* Two digits: 69 to 99 are of the 20th century. */
static int read_short_year(const char** text) {
  int year = read_digits(text, 2, 0, 99);
  return year >= 0 && year < 69 ? year + 100 : year;
}

/* Afternoon adds 12 hours to those before; 12 is the first hour of each half. */
static int read_half(const char** text, struct tm* t) {
  static const char* const halves[] = {"AM ", "PM "};
  for (int half = 0; half < 2; ++half) {
    if (strncasecmp(*text, halves[half], 2) != 0) continue;
    *text += 2;
    t->tm_hour = t->tm_hour % 12 + 12 * half;
    return 1;
  }
  return 0;
}

static int store(int value, int* to) {
  if (value >= 0) *to = value;
  return value >= 0;
}

static int read_year(const char** text, struct tm* t) {
  int year = read_digits(text, 4, 0, 9999);
  t->tm_year = year - 1900;
  return year >= 0;
}

static int read_century(const char** text, struct tm* t) {
  int century = read_digits(text, 2, 0, 99);
  t->tm_year = (century - 19) * 100 + (t->tm_year % 100 + 100) % 100;
  return century >= 0;
}

/* Whether the text has what the letter asks for. */
static int read_letter(const char** text, char letter, struct tm* t) {
  int ignored;
  switch (letter) {
    case 'a':
    case 'A':
      return store(find_day(text), &t->tm_wday);
    case 'b':
    case 'B':
    case 'h':
      return store(find_month(text), &t->tm_mon);
    case 'C':
      return read_century(text, t);
    case 'd':
    case 'e':
      return store(read_digits(text, 2, 1, 31), &t->tm_mday);
    case 'H':
    case 'k':
      return store(read_digits(text, 2, 0, 23), &t->tm_hour);
    case 'I':
    case 'l':
      return store(read_digits(text, 2, 1, 12), &t->tm_hour);
    case 'j':
      return store(read_digits(text, 3, 1, 366) - 1, &t->tm_yday);
    case 'm':
      return store(read_digits(text, 2, 1, 12) - 1, &t->tm_mon);
    case 'M':
      return store(read_digits(text, 2, 0, 59), &t->tm_min);
    case 'p':
      return read_half(text, t);
    case 'S':
      return store(read_digits(text, 2, 0, 61), &t->tm_sec);
    case 'U':
    case 'W':
      return store(read_digits(text, 2, 0, 53), &ignored);
    case 'w':
      return store(read_digits(text, 1, 0, 6), &t->tm_wday);
    case 'y':
      return store(read_short_year(text), &t->tm_year);
    case 'Y':
      return read_year(text, t);
    default:
      return letter == '%' && *(*text)++ == '%';
  }
}

char* strptime(const char* text, const char* format, struct tm* t) {
  for (; *format != 0; ++format) {
    if (isspace((unsigned char)*format)) {
      while (isspace((unsigned char)*text)) ++text;
    } else if (*format != '%') {
      if (*text++ != *format) return NULL;
    } else {
      ++format;
      if (*format == 'E' || *format == 'O') ++format;
      const char* expansion = expansion_of(*format);
      if (*format == 'n' || *format == 't') expansion = " ";
      if (expansion != NULL) {
        text = strptime(text, expansion, t);
        if (text == NULL) return NULL;
      } else if (!read_letter(&text, *format, t)) {
        return NULL;
      }
    }
  }
  return (char*)text;
}
