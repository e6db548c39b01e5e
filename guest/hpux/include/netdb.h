/* HP-UX Reference, gethostent(3N), getprotoent(3N), getservent(3N), getnetent(3N), getaddrinfo(3N). */
#pragma once
#include <stddef.h>
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
struct hostent* gethostent(void);
void sethostent(int), endhostent(void);

struct protoent {
  char *p_name, **p_aliases;
  int p_proto;
};
struct netent {
  char *n_name, **n_aliases;
  int n_addrtype;
  unsigned long n_net;
};
struct protoent *getprotobyname(const char*), *getprotobynumber(int), *getprotoent(void);
void setprotoent(int), endprotoent(void);
struct netent *getnetbyname(const char*), *getnetent(void);
void setnetent(int), endnetent(void);

/* getaddrinfo(3N) */
struct addrinfo {
  int ai_flags, ai_family, ai_socktype, ai_protocol;
  size_t ai_addrlen;
  char* ai_canonname;
  struct sockaddr_in* ai_addr;
  struct addrinfo* ai_next;
};
enum { AI_PASSIVE = 1, AI_CANONNAME = 2, AI_NUMERICHOST = 4, AI_NUMERICSERV = 8 };
enum { NI_NOFQDN = 1, NI_NUMERICHOST = 2, NI_NAMEREQD = 4, NI_NUMERICSERV = 8, NI_DGRAM = 16 };
enum {
  EAI_ADDRFAMILY = 1,
  EAI_AGAIN,
  EAI_BADFLAGS,
  EAI_FAIL,
  EAI_FAMILY,
  EAI_MEMORY,
  EAI_NODATA,
  EAI_NONAME,
  EAI_SERVICE,
  EAI_SOCKTYPE,
  EAI_SYSTEM,
  EAI_OVERFLOW = 14
};
int getaddrinfo(const char*, const char*, const struct addrinfo*, struct addrinfo**);
void freeaddrinfo(struct addrinfo*);
const char* gai_strerror(int);
int getnameinfo(const struct sockaddr_in*, size_t, char*, size_t, char*, size_t, int);
