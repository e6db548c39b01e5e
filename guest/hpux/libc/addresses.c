/* getaddrinfo(3N), getnameinfo(3N): Internet addresses of version 4. The numbers of flags and errors are
 * those of 4.4BSD: HP's are not public. */
#include <arpa/inet.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { stream = 1, datagram = 2, tcp = 6, udp = 17 };
static const struct kind {
  int type, protocol;
  const char* name;
} kinds[] = {{stream, tcp, "tcp"}, {datagram, udp, "udp"}};

static const struct addrinfo anything = {0};

struct request {
  const struct addrinfo* hints;
  struct in_addr address;
  const char* canonical; /* null: not wanted */
};

static int is_wanted(const struct addrinfo* hints, const struct kind* kind) {
  return (hints->ai_socktype == 0 || hints->ai_socktype == kind->type) &&
         (hints->ai_protocol == 0 || hints->ai_protocol == kind->protocol);
}

/* In the byte order of the network, which is the processor's; -1: there is none. */
static int find_port(const char* service, const struct kind* kind, int flags) {
  char* end;
  if (service == NULL) return 0;
  long port = strtol(service, &end, 10);
  if (end != service && *end == 0) return port >= 0 && port <= 0xffff ? port : -1;
  if (flags & AI_NUMERICSERV) return -1;
  const struct servent* found = getservbyname(service, kind->name);
  return found == NULL ? -1 : found->s_port;
}

/* 0 or an EAI number. */
static int find_host(const char* name, struct request* request) {
  const int flags = request->hints->ai_flags;
  if (name == NULL) {
    request->address.s_addr = flags & AI_PASSIVE ? 0 : 0x7f000001;
    return 0;
  }
  if (inet_pton(AF_INET, name, &request->address) == 1) {
    request->canonical = name;
    return 0;
  }
  const struct hostent* host = flags & AI_NUMERICHOST ? NULL : gethostbyname(name);
  if (host == NULL) return EAI_NONAME;
  memcpy(&request->address, host->h_addr_list[0], sizeof request->address);
  request->canonical = host->h_name;
  return 0;
}

/* The structure, its address and the host's name are one piece. */
static struct addrinfo* make(const struct request* request, const struct kind* kind, int port) {
  struct {
    struct addrinfo info;
    struct sockaddr_in address;
  }* made;
  const char* name = request->hints->ai_flags & AI_CANONNAME ? request->canonical : NULL;
  made = calloc(1, sizeof *made + (name == NULL ? 0 : strlen(name) + 1));
  if (made == NULL) return NULL;
  made->address.sin_family = AF_INET;
  made->address.sin_port = port;
  made->address.sin_addr = request->address;
  made->info = (struct addrinfo){.ai_flags = request->hints->ai_flags,
                                 .ai_family = AF_INET,
                                 .ai_socktype = kind->type,
                                 .ai_protocol = kind->protocol,
                                 .ai_addrlen = sizeof made->address,
                                 .ai_addr = &made->address};
  if (name != NULL) made->info.ai_canonname = strcpy((char*)(made + 1), name);
  return &made->info;
}

static int add_kinds(const struct request* request, const char* service, struct addrinfo** result) {
  struct addrinfo** last = result;
  int is_known = 0;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
    if (!is_wanted(request->hints, &kinds[i])) continue;
    is_known = 1;
    int port = find_port(service, &kinds[i], request->hints->ai_flags);
    if (port < 0) continue;
    *last = make(request, &kinds[i], port);
    if (*last == NULL) return EAI_MEMORY;
    last = &(*last)->ai_next;
  }
  if (*result != NULL) return 0;
  return is_known ? EAI_SERVICE : EAI_SOCKTYPE;
}

int getaddrinfo(const char* host, const char* service, const struct addrinfo* hints,
                struct addrinfo** result) {
  struct request request = {.hints = hints == NULL ? &anything : hints};
  const int family = request.hints->ai_family;
  *result = NULL;
  if (host == NULL && service == NULL) return EAI_NONAME;
  if (family != 0 && family != AF_INET) return EAI_FAMILY;
  int failed = find_host(host, &request);
  if (failed == 0) failed = add_kinds(&request, service, result);
  if (failed != 0) {
    freeaddrinfo(*result);
    *result = NULL;
  }
  return failed;
}

void freeaddrinfo(struct addrinfo* first) {
  while (first != NULL) {
    struct addrinfo* next = first->ai_next;
    free(first);
    first = next;
  }
}

const char* gai_strerror(int number) {
  static const char* const texts[] = {[EAI_ADDRFAMILY] = "no address of that family",
                                      [EAI_AGAIN] = "no answer for now",
                                      [EAI_BADFLAGS] = "bad flags",
                                      [EAI_FAIL] = "the name cannot be resolved",
                                      [EAI_FAMILY] = "address family not supported",
                                      [EAI_MEMORY] = "no memory",
                                      [EAI_NODATA] = "the host has no address",
                                      [EAI_NONAME] = "host or service not known",
                                      [EAI_SERVICE] = "service not known for that socket type",
                                      [EAI_SOCKTYPE] = "socket type not supported",
                                      [EAI_SYSTEM] = "system error",
                                      [EAI_OVERFLOW] = "no room for the answer"};
  const int is_known = number > 0 && number < (int)(sizeof texts / sizeof *texts);
  return is_known && texts[number] != NULL ? texts[number] : "unknown error";
}

static int put(const char* text, char* to, size_t size) {
  if (strlen(text) >= size) return EAI_OVERFLOW;
  strcpy(to, text);
  return 0;
}

static int name_host(const struct sockaddr_in* address, char* to, size_t size, int flags) {
  const struct hostent* host = NULL;
  if (!(flags & NI_NUMERICHOST)) {
    host = gethostbyaddr((const char*)&address->sin_addr, sizeof address->sin_addr, AF_INET);
  }
  if (host == NULL && (flags & NI_NAMEREQD)) return EAI_NONAME;
  return put(host != NULL ? host->h_name : inet_ntoa(address->sin_addr), to, size);
}

static int name_service(const struct sockaddr_in* address, char* to, size_t size, int flags) {
  const char* protocol = flags & NI_DGRAM ? "udp" : "tcp";
  const struct servent* service = NULL;
  if (!(flags & NI_NUMERICSERV)) service = getservbyport(address->sin_port, protocol);
  char number[8];
  sprintf(number, "%u", address->sin_port);
  return put(service != NULL ? service->s_name : number, to, size);
}

int getnameinfo(const struct sockaddr_in* address, size_t size, char* host, size_t host_size, char* service,
                size_t service_size, int flags) {
  if (size < sizeof *address || address->sin_family != AF_INET) return EAI_FAMILY;
  const int wants_host = host != NULL && host_size != 0;
  const int wants_service = service != NULL && service_size != 0;
  if (!wants_host && !wants_service) return EAI_NONAME;
  int failed = wants_host ? name_host(address, host, host_size, flags) : 0;
  if (failed == 0 && wants_service) failed = name_service(address, service, service_size, flags);
  return failed;
}
