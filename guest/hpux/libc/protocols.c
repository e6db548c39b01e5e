/* getprotoent(3N), getnetent(3N): /etc/protocols, /etc/networks. */
#include <arpa/inet.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_aliases = 16 };

/* A file whose lines have a name, a number and more names. */
struct table {
  const char* path;
  FILE* file;
  char line[512];
  char* aliases[most_aliases + 1];
};
static struct table protocols = {.path = "/etc/protocols"}, networks = {.path = "/etc/networks"};

static void set_to_start(struct table* table) {
  if (table->file != NULL) rewind(table->file);
}
static void end(struct table* table) {
  if (table->file != NULL) fclose(table->file);
  table->file = NULL;
}

/* Whether there is another line. */
static int next(struct table* table, char** name, char** number) {
  if (table->file == NULL) table->file = fopen(table->path, "r");
  if (table->file == NULL) return 0;
  while (fgets(table->line, sizeof table->line, table->file) != NULL) {
    char* rest;
    table->line[strcspn(table->line, "#\n")] = 0;
    *name = strtok_r(table->line, " \t", &rest);
    *number = *name == NULL ? NULL : strtok_r(NULL, " \t", &rest);
    if (*number == NULL) continue;
    int count = 0;
    while (count < most_aliases && (table->aliases[count] = strtok_r(NULL, " \t", &rest)) != NULL) ++count;
    table->aliases[count] = NULL;
    return 1;
  }
  return 0;
}

static int is_called(const char* own, char** aliases, const char* name) {
  if (strcmp(own, name) == 0) return 1;
  for (; *aliases != NULL; ++aliases) {
    if (strcmp(*aliases, name) == 0) return 1;
  }
  return 0;
}

void setprotoent(int stay_open) {
  (void)stay_open;
  set_to_start(&protocols);
}
void endprotoent(void) {
  end(&protocols);
}
struct protoent* getprotoent(void) {
  static struct protoent entry;
  char *name, *number;
  if (!next(&protocols, &name, &number)) return NULL;
  entry = (struct protoent){name, protocols.aliases, atoi(number)};
  return &entry;
}

/* Those that every system has, for a root without the file. */
static struct protoent* common_protocol(const char* name, int number) {
  static char* no_aliases[1];
  static struct protoent common[] = {{"icmp", no_aliases, 1}, {"tcp", no_aliases, 6}, {"udp", no_aliases, 17}};
  for (size_t i = 0; i < sizeof common / sizeof *common; ++i) {
    if (name != NULL ? strcmp(common[i].p_name, name) == 0 : common[i].p_proto == number) return &common[i];
  }
  return NULL;
}

static struct protoent* find_protocol(const char* name, int number) {
  struct protoent* each;
  setprotoent(0);
  while ((each = getprotoent()) != NULL) {
    if (name != NULL ? is_called(each->p_name, each->p_aliases, name) : each->p_proto == number) break;
  }
  const int has_file = protocols.file != NULL;
  endprotoent();
  return each == NULL && !has_file ? common_protocol(name, number) : each;
}
struct protoent* getprotobyname(const char* name) {
  return find_protocol(name, 0);
}
struct protoent* getprotobynumber(int number) {
  return find_protocol(NULL, number);
}

void setnetent(int stay_open) {
  (void)stay_open;
  set_to_start(&networks);
}
void endnetent(void) {
  end(&networks);
}

/* a.b.c: the bytes from the right. */
static unsigned long network_number(const char* text) {
  unsigned long value = 0;
  for (char* at; ; text = at + 1) {
    value = value << 8 | strtoul(text, &at, 0);
    if (*at != '.') return value;
  }
}

struct netent* getnetent(void) {
  static struct netent entry;
  char *name, *number;
  if (!next(&networks, &name, &number)) return NULL;
  entry = (struct netent){name, networks.aliases, AF_INET, network_number(number)};
  return &entry;
}
struct netent* getnetbyname(const char* name) {
  struct netent* each;
  setnetent(0);
  while ((each = getnetent()) != NULL && !is_called(each->n_name, each->n_aliases, name)) continue;
  endnetent();
  return each;
}
