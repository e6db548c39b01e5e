#pragma once
struct in_addr {
  unsigned s_addr;
};
unsigned long inet_addr(const char*);
char* inet_ntoa(struct in_addr);
