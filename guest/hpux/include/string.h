#pragma once
#include <stddef.h>
void *memchr(const void*, int, size_t), *memcpy(void*, const void*, size_t);
void *memmove(void*, const void*, size_t), *memset(void*, int, size_t);
void* memccpy(void*, const void*, int, size_t);
int memcmp(const void*, const void*, size_t), strcmp(const char*, const char*);
int strncmp(const char*, const char*, size_t), strcoll(const char*, const char*);
int strcasecmp(const char*, const char*), strncasecmp(const char*, const char*, size_t);
char *strcat(char*, const char*), *strchr(const char*, int), *strcpy(char*, const char*);
char *strncat(char*, const char*, size_t), *strncpy(char*, const char*, size_t);
char *strpbrk(const char*, const char*), *strrchr(const char*, int);
char *strstr(const char*, const char*), *strtok(char*, const char*), *strdup(const char*);
char *strerror(int), *strtok_r(char*, const char*, char**);
char *index(const char*, int), *rindex(const char*, int);
size_t strlen(const char*), strspn(const char*, const char*), strcspn(const char*, const char*);
size_t strxfrm(char*, const char*, size_t);
void bcopy(const void*, void*, size_t), bzero(void*, size_t);
int bcmp(const void*, const void*, size_t), ffs(int);
