#pragma once
#include <stddef.h>
#include <stdint.h>
enum { AF_INET = 2, AF_INET6 = 22 };
typedef size_t socklen_t;
struct in_addr {
  unsigned s_addr;
};
struct sockaddr_in {
  short sin_family;
  unsigned short sin_port;
  struct in_addr sin_addr;
  char sin_zero[8];
};
unsigned long inet_addr(const char*);
char* inet_ntoa(struct in_addr);
int inet_pton(int, const char*, void*);
const char* inet_ntop(int, const void*, char*, socklen_t);
