/* memory(3C): bytes. */
#include <stdint.h>
#include <string.h>

typedef unsigned long word;

static int is_aligned(const void* a, const void* b) {
  return (((uintptr_t)a | (uintptr_t)b) & (sizeof(word) - 1)) == 0;
}

void* memcpy(void* to, const void* from, size_t size) {
  char* target = to;
  const char* source = from;
  if (is_aligned(to, from)) {
    for (; size >= sizeof(word); size -= sizeof(word)) {
      *(word*)target = *(const word*)source;
      target += sizeof(word);
      source += sizeof(word);
    }
  }
  while (size-- != 0) *target++ = *source++;
  return to;
}

void* memmove(void* to, const void* from, size_t size) {
  char* target = (char*)to + size;
  const char* source = (const char*)from + size;
  if ((uintptr_t)to - (uintptr_t)from >= size) return memcpy(to, from, size);
  if (is_aligned(target, source)) {
    for (; size >= sizeof(word); size -= sizeof(word)) {
      target -= sizeof(word);
      source -= sizeof(word);
      *(word*)target = *(const word*)source;
    }
  }
  while (size-- != 0) *--target = *--source;
  return to;
}

void* memset(void* place, int byte, size_t size) {
  unsigned char* at = place;
  for (; size != 0 && !is_aligned(at, at); --size) *at++ = byte;
  word pattern = (~(word)0 / 0xff) * (unsigned char)byte;
  for (; size >= sizeof(word); size -= sizeof(word), at += sizeof(word)) *(word*)at = pattern;
  while (size-- != 0) *at++ = byte;
  return place;
}

int memcmp(const void* a, const void* b, size_t size) {
  const unsigned char *left = a, *right = b;
  for (; size != 0; --size, ++left, ++right) {
    if (*left != *right) return *left - *right;
  }
  return 0;
}

void* memchr(const void* place, int byte, size_t size) {
  const unsigned char* at = place;
  for (; size != 0; --size, ++at) {
    if (*at == (unsigned char)byte) return (void*)at;
  }
  return NULL;
}

void* memccpy(void* to, const void* from, int byte, size_t size) {
  unsigned char* target = to;
  const unsigned char* source = from;
  for (; size != 0; --size) {
    *target++ = *source;
    if (*source++ == (unsigned char)byte) return target;
  }
  return NULL;
}

void bcopy(const void* from, void* to, size_t size) {
  memmove(to, from, size);
}
void bzero(void* place, size_t size) {
  memset(place, 0, size);
}
int bcmp(const void* a, const void* b, size_t size) {
  return memcmp(a, b, size);
}

int ffs(int bits) {
  for (int i = 1; bits != 0; ++i, bits = (unsigned)bits >> 1) {
    if (bits & 1) return i;
  }
  return 0;
}
