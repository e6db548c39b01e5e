/* gethostent(3N), inet(3N): numbers and /etc/hosts; no name server is asked. */
#include <arpa/inet.h>
#include <ctype.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { internet = 2, address_bytes = 4, most_aliases = 16 };

int h_errno;
/* What `h_errno` is in programs compiled for threads. */
int* __h_errno(void) {
  return &h_errno;
}

static char line[512];
static char* aliases[most_aliases + 1];
static unsigned address;
static char* addresses[2];
static struct hostent host;

static struct hostent* give(char* name) {
  addresses[0] = (char*)&address;
  host = (struct hostent){name, aliases, internet, address_bytes, addresses};
  return &host;
}

/* a.b.c.d, a.b.c, a.b or a, where the last fills what is left; each as C writes numbers. */
unsigned long inet_addr(const char* text) {
  unsigned long part[4];
  int count = 0;
  for (;;) {
    char* end;
    if (!isdigit((unsigned char)*text) || count == 4) return (unsigned)-1;
    part[count++] = strtoul(text, &end, 0);
    text = end + (*end == '.');
    if (*end != '.') break;
  }
  if (*text != 0 && !isspace((unsigned char)*text)) return (unsigned)-1;
  unsigned long value = part[count - 1];
  if (count > 1 && value >> 8 * (5 - count) != 0) return (unsigned)-1;
  for (int i = 0; i < count - 1; ++i) {
    if (part[i] > 255) return (unsigned)-1;
    value |= part[i] << 8 * (3 - i);
  }
  return value;
}

int inet_aton(const char* text, struct in_addr* to) {
  const unsigned number = inet_addr(text);
  const size_t length = strcspn(text, " \t\n");
  const int is_all_ones = length == 15 && strncmp(text, "255.255.255.255", length) == 0;
  if (number == (unsigned)-1 && !is_all_ones && strncmp(text, "0xffffffff", 10) != 0) return 0;
  if (to != NULL) to->s_addr = number;
  return 1;
}

/* Classes of networks, as RFC 791 has them: the bits of an address that are the host's. */
static int host_bits(unsigned number) {
  return number >> 31 == 0 ? 24 : number >> 30 == 2 ? 16 : 8;
}
unsigned long inet_lnaof(struct in_addr in) {
  return in.s_addr & ((1u << host_bits(in.s_addr)) - 1);
}
unsigned long inet_netof(struct in_addr in) {
  return in.s_addr >> host_bits(in.s_addr);
}
struct in_addr inet_makeaddr(unsigned long network, unsigned long host) {
  const int bits = network < 128 ? 24 : network < 65536 ? 16 : network < 0x1000000 ? 8 : 0;
  return (struct in_addr){(unsigned)(network << bits | (host & ((1u << bits) - 1)))};
}

char* inet_ntoa(struct in_addr in) {
  static char text[16];
  unsigned a = in.s_addr;
  sprintf(text, "%u.%u.%u.%u", a >> 24, a >> 16 & 255, a >> 8 & 255, a & 255);
  return text;
}

/* The next line of /etc/hosts, taken apart. */
static struct hostent* next_host(FILE* hosts) {
  while (fgets(line, sizeof line, hosts) != NULL) {
    line[strcspn(line, "#\n")] = 0;
    char *rest, *number = strtok_r(line, " \t", &rest);
    char* name = number == NULL ? NULL : strtok_r(NULL, " \t", &rest);
    if (name == NULL) continue;
    int count = 0;
    while (count < most_aliases && (aliases[count] = strtok_r(NULL, " \t", &rest)) != NULL) ++count;
    aliases[count] = NULL;
    address = inet_addr(number);
    return give(name);
  }
  return NULL;
}

static FILE* hosts_file;

void sethostent(int stay_open) {
  (void)stay_open;
  if (hosts_file != NULL) rewind(hosts_file);
}
void endhostent(void) {
  if (hosts_file != NULL) fclose(hosts_file);
  hosts_file = NULL;
}
struct hostent* gethostent(void) {
  if (hosts_file == NULL) hosts_file = fopen("/etc/hosts", "r");
  return hosts_file == NULL ? NULL : next_host(hosts_file);
}

static int is_called(const struct hostent* h, const char* name) {
  if (strcasecmp(h->h_name, name) == 0) return 1;
  for (char** each = h->h_aliases; *each != NULL; ++each) {
    if (strcasecmp(*each, name) == 0) return 1;
  }
  return 0;
}

static struct hostent* not_found(void) {
  h_errno = HOST_NOT_FOUND;
  return NULL;
}

struct hostent* gethostbyname(const char* name) {
  aliases[0] = NULL;
  unsigned number = inet_addr(name);
  if (number != (unsigned)-1) {
    address = number;
    return give(strcpy(line, strlen(name) < sizeof line ? name : ""));
  }
  FILE* hosts = fopen("/etc/hosts", "r");
  struct hostent* found = NULL;
  if (hosts != NULL) {
    while ((found = next_host(hosts)) != NULL && !is_called(found, name)) continue;
    fclose(hosts);
  }
  if (found == NULL && strcmp(name, "localhost") == 0) {
    aliases[0] = NULL;
    address = 0x7f000001;
    found = give("localhost");
  }
  return found != NULL ? found : not_found();
}

struct hostent* gethostbyaddr(const char* bytes, int size, int kind) {
  unsigned wanted;
  if (size != address_bytes || kind != internet) return not_found();
  memcpy(&wanted, bytes, sizeof wanted);
  FILE* hosts = fopen("/etc/hosts", "r");
  struct hostent* found = NULL;
  if (hosts != NULL) {
    while ((found = next_host(hosts)) != NULL && address != wanted) continue;
    fclose(hosts);
  }
  return found != NULL ? found : not_found();
}

static FILE* services;

void setservent(int stay_open) {
  (void)stay_open;
  if (services != NULL) rewind(services);
}
void endservent(void) {
  if (services != NULL) fclose(services);
  services = NULL;
}

struct servent* getservent(void) {
  static struct servent service;
  if (services == NULL) services = fopen("/etc/services", "r");
  if (services == NULL) return NULL;
  while (fgets(line, sizeof line, services) != NULL) {
    line[strcspn(line, "#\n")] = 0;
    char *rest, *name = strtok_r(line, " \t", &rest), *port = strtok_r(NULL, " \t/", &rest);
    char* protocol = strtok_r(NULL, " \t", &rest);
    if (protocol == NULL) continue;
    int count = 0;
    while (count < most_aliases && (aliases[count] = strtok_r(NULL, " \t", &rest)) != NULL) ++count;
    aliases[count] = NULL;
    service = (struct servent){name, aliases, atoi(port), protocol};
    return &service;
  }
  return NULL;
}

static int is_service_called(const struct servent* service, const char* name) {
  if (strcmp(service->s_name, name) == 0) return 1;
  for (char** each = service->s_aliases; *each != NULL; ++each) {
    if (strcmp(*each, name) == 0) return 1;
  }
  return 0;
}

static int has_protocol(const struct servent* service, const char* protocol) {
  return protocol == NULL || strcmp(service->s_proto, protocol) == 0;
}

struct servent* getservbyname(const char* name, const char* protocol) {
  struct servent* each;
  setservent(0);
  while ((each = getservent()) != NULL) {
    if (is_service_called(each, name) && has_protocol(each, protocol)) break;
  }
  endservent();
  return each;
}

struct servent* getservbyport(int port, const char* protocol) {
  struct servent* each;
  setservent(0);
  while ((each = getservent()) != NULL) {
    if (each->s_port == port && has_protocol(each, protocol)) break;
  }
  endservent();
  return each;
}
