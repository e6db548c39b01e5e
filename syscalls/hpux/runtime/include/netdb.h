#pragma once
struct hostent {
  char *h_name, **h_aliases;
  int h_addrtype, h_length;
  char** h_addr_list;
};
struct servent {
  char *s_name, **s_aliases;
  int s_port;
  char* s_proto;
};
enum { HOST_NOT_FOUND = 1 };
extern int h_errno;
struct hostent *gethostbyname(const char*), *gethostbyaddr(const char*, int, int);
struct servent *getservbyname(const char*, const char*), *getservbyport(int, const char*);
struct servent* getservent(void);
void setservent(int), endservent(void);
