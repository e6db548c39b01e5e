#include "shell.h"

size_t text_length(const char* text) {
  size_t length = 0;
  while (text[length] != 0) ++length;
  return length;
}

int text_compare(const char* a, const char* b) {
  while (*a != 0 && *a == *b) ++a, ++b;
  return (unsigned char)*a - (unsigned char)*b;
}

bool text_is(const char* a, const char* b) {
  return text_compare(a, b) == 0;
}

bool text_begins(const char* text, const char* front) {
  while (*front != 0 && *text == *front) ++text, ++front;
  return *front == 0;
}

const char* text_find(const char* text, char what) {
  for (; *text != 0; ++text) {
    if (*text == what) return text;
  }
  return NULL;
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

bool is_name_start(char c) {
  return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_name_character(char c) {
  return is_name_start(c) || is_digit(c);
}

size_t name_length(const char* text) {
  if (!is_name_start(*text)) return 0;
  size_t length = 1;
  while (is_name_character(text[length])) ++length;
  return length;
}

int parse_number(const char* text) {
  int number = 0;
  if (*text == 0) return -1;
  for (; *text != 0; ++text) {
    if (!is_digit(*text) || number > (0x7fffffff - 9) / 10) return -1;
    number = number * 10 + (*text - '0');
  }
  return number;
}

// One bit of the quotient a step. The processors' own division would need a library.
uint64_t divide(uint64_t dividend, uint64_t divisor, uint64_t* rest) {
  uint64_t quotient = 0, left = 0;
  for (int bit = 0; bit < 64; ++bit) {
    left = (left << 1) | (dividend >> 63);
    dividend <<= 1;
    quotient <<= 1;
    if (left < divisor) continue;
    left -= divisor;
    quotient |= 1;
  }
  *rest = left;
  return quotient;
}

const char* number_text(int64_t number, char* buffer) {
  uint64_t left = number < 0 ? -(uint64_t)number : (uint64_t)number;
  char* at = buffer + number_bytes - 1;
  *at = 0;
  do {
    uint64_t digit;
    left = divide(left, 10, &digit);
    *--at = (char)('0' + digit);
  } while (left != 0);
  if (number < 0) *--at = '-';
  return at;
}

void* memcpy(void* to, const void* from, size_t bytes) {
  char* t = to;
  for (const char* f = from; bytes != 0; --bytes) *t++ = *f++;
  return to;
}

void* memset(void* to, int value, size_t bytes) {
  for (char* t = to; bytes != 0; --bytes) *t++ = (char)value;
  return to;
}
