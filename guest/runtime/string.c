// Memory and string functions; the compiler may call the first four on its own.
#include <stddef.h>
#include <stdint.h>

// Without this the compiler turns the loop of memset into a call of memset.
#pragma GCC optimize("no-tree-loop-distribute-patterns")

void* memcpy(void* to, const void* from, size_t size) {
  uint8_t* t = to;
  const uint8_t* f = from;
  while (size-- > 0) *t++ = *f++;
  return to;
}

void* memmove(void* to, const void* from, size_t size) {
  uint8_t* t = to;
  const uint8_t* f = from;
  if (t <= f) return memcpy(to, from, size);
  while (size-- > 0) t[size] = f[size];
  return to;
}

void* memset(void* to, int value, size_t size) {
  uint8_t* t = to;
  while (size-- > 0) *t++ = (uint8_t)value;
  return to;
}

int memcmp(const void* a, const void* b, size_t size) {
  const uint8_t* x = a;
  const uint8_t* y = b;
  for (; size > 0; --size, ++x, ++y) {
    if (*x != *y) return *x - *y;
  }
  return 0;
}

size_t strlen(const char* text) {
  size_t length = 0;
  while (text[length] != 0) ++length;
  return length;
}

int strcmp(const char* a, const char* b) {
  while (*a != 0 && *a == *b) ++a, ++b;
  return (uint8_t)*a - (uint8_t)*b;
}

int strncmp(const char* a, const char* b, size_t size) {
  for (; size > 0; --size, ++a, ++b) {
    if (*a != *b || *a == 0) return (uint8_t)*a - (uint8_t)*b;
  }
  return 0;
}

char* strcpy(char* to, const char* from) {
  char* t = to;
  while ((*t++ = *from++) != 0) {
  }
  return to;
}

char* strchr(const char* text, int c) {
  for (;; ++text) {
    if (*text == (char)c) return (char*)text;
    if (*text == 0) return NULL;
  }
}

// For the programs on guest.h, which declares it.
uint32_t parse_number(const char* digits);
uint32_t parse_number(const char* digits) {
  uint32_t number = 0;
  for (; *digits >= '0' && *digits <= '9'; ++digits) {
    number = number * 10 + (uint32_t)(*digits - '0');
  }
  return number;
}
