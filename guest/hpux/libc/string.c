/* string(3C) in the C locale. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

size_t strlen(const char* text) {
  const char* end = text;
  while (*end != 0) ++end;
  return end - text;
}

char* strcpy(char* to, const char* from) {
  memcpy(to, from, strlen(from) + 1);
  return to;
}

char* strncpy(char* to, const char* from, size_t size) {
  size_t i = 0;
  for (; i < size && from[i] != 0; ++i) to[i] = from[i];
  for (; i < size; ++i) to[i] = 0;
  return to;
}

char* strcat(char* to, const char* from) {
  strcpy(to + strlen(to), from);
  return to;
}

char* strncat(char* to, const char* from, size_t size) {
  char* end = to + strlen(to);
  for (; size != 0 && *from != 0; --size) *end++ = *from++;
  *end = 0;
  return to;
}

int strcmp(const char* a, const char* b) {
  while (*a != 0 && *a == *b) ++a, ++b;
  return (unsigned char)*a - (unsigned char)*b;
}

int strncmp(const char* a, const char* b, size_t size) {
  for (; size != 0; --size, ++a, ++b) {
    if (*a != *b) return (unsigned char)*a - (unsigned char)*b;
    if (*a == 0) break;
  }
  return 0;
}

int strncasecmp(const char* a, const char* b, size_t size) {
  for (; size != 0; --size, ++a, ++b) {
    int left = tolower((unsigned char)*a), right = tolower((unsigned char)*b);
    if (left != right) return left - right;
    if (left == 0) break;
  }
  return 0;
}

int strcasecmp(const char* a, const char* b) {
  return strncasecmp(a, b, (size_t)-1);
}

int strcoll(const char* a, const char* b) {
  return strcmp(a, b);
}

size_t strxfrm(char* to, const char* from, size_t size) {
  size_t length = strlen(from);
  if (size != 0) {
    size_t kept = length < size ? length : size - 1;
    memcpy(to, from, kept);
    to[kept] = 0;
  }
  return length;
}

char* strchr(const char* text, int c) {
  for (;; ++text) {
    if (*text == (char)c) return (char*)text;
    if (*text == 0) return NULL;
  }
}

char* strrchr(const char* text, int c) {
  const char* found = NULL;
  for (;; ++text) {
    if (*text == (char)c) found = text;
    if (*text == 0) return (char*)found;
  }
}

char* index(const char* text, int c) {
  return strchr(text, c);
}
char* rindex(const char* text, int c) {
  return strrchr(text, c);
}

size_t strspn(const char* text, const char* set) {
  size_t count = 0;
  while (text[count] != 0 && strchr(set, text[count]) != NULL) ++count;
  return count;
}

size_t strcspn(const char* text, const char* set) {
  size_t count = 0;
  while (text[count] != 0 && strchr(set, text[count]) == NULL) ++count;
  return count;
}

char* strpbrk(const char* text, const char* set) {
  text += strcspn(text, set);
  return *text != 0 ? (char*)text : NULL;
}

char* strstr(const char* text, const char* part) {
  size_t length = strlen(part);
  for (;; ++text) {
    if (strncmp(text, part, length) == 0) return (char*)text;
    if (*text == 0) return NULL;
  }
}

char* strtok_r(char* text, const char* set, char** rest) {
  if (text == NULL) text = *rest;
  if (text == NULL) return NULL;
  text += strspn(text, set);
  if (*text == 0) {
    *rest = NULL;
    return NULL;
  }
  char* end = text + strcspn(text, set);
  *rest = *end == 0 ? NULL : end + 1;
  *end = 0;
  return text;
}

char* strtok(char* text, const char* set) {
  static char* rest;
  return strtok_r(text, set, &rest);
}

char* strdup(const char* text) {
  size_t size = strlen(text) + 1;
  char* made = malloc(size);
  return made == NULL ? NULL : memcpy(made, text, size);
}
