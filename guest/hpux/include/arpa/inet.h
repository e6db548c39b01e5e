#pragma once
#include <stddef.h>
#include <stdint.h>
enum { AF_INET = 2, AF_INET6 = 22 }; /* GCC's gcc/ada/g-soccon-hpux-ia64.ads */
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
int inet_aton(const char*, struct in_addr*);
unsigned long inet_lnaof(struct in_addr), inet_netof(struct in_addr);
struct in_addr inet_makeaddr(unsigned long, unsigned long);
int inet_pton(int, const char*, void*);
const char* inet_ntop(int, const void*, char*, socklen_t);
