#include "shell.h"

enum { lists = 64 };
static struct variable* variables[lists];

struct parameters parameters;
const char* shell_name = "sh";
int last_status;
long shell_process, last_background;
bool options[option_letters];

void set_parameters(char** values, int count) {
  char** const owned = keep((size_t)(count + 1) * sizeof *owned);
  for (int at = 0; at < count; ++at) owned[at] = keep_text(values[at]);
  owned[count] = NULL;
  release_parameters();
  parameters = (struct parameters){count, owned, owned};
}

void release_parameters(void) {
  if (parameters.owned == NULL) return;
  for (char** each = parameters.owned; *each != NULL; ++each) drop(*each);
  drop(parameters.owned);
  parameters.owned = NULL;
}

static struct variable** list_of(const char* name, size_t length) {
  unsigned hash = 0;
  for (size_t at = 0; at < length; ++at) hash = hash * 31 + (unsigned char)name[at];
  return &variables[hash & (lists - 1)];
}

static struct variable* find(const char* name, size_t length) {
  for (struct variable* each = *list_of(name, length); each != NULL; each = each->next) {
    if (text_begins(name, each->name) && each->name[length] == 0) return each;
  }
  return NULL;
}

static struct variable* find_or_make(const char* name, size_t length) {
  struct variable* const found = find(name, length);
  if (found != NULL) return found;
  struct variable* const made = keep(sizeof *made);
  struct variable** const list = list_of(name, length);
  char* const own_name = keep(length + 1);
  memcpy(own_name, name, length);
  own_name[length] = 0;
  *made = (struct variable){.next = *list, .name = own_name};
  *list = made;
  return made;
}

struct variable* find_variable(const char* name) {
  return find(name, text_length(name));
}

struct variable* declare(const char* name) {
  return find_or_make(name, text_length(name));
}

const char* get(const char* name) {
  const struct variable* const found = find_variable(name);
  return found == NULL ? NULL : found->value;
}

void set_of_length(const char* name, size_t length, const char* value) {
  struct variable* const variable = find_or_make(name, length);
  if (variable->read_only) fail(variable->name, ": is read only", NULL);
  char* const old = variable->value;
  variable->value = keep_text(value);
  drop(old);
  if (option('a')) variable->exported = true;
}

void set(const char* name, const char* value) {
  set_of_length(name, text_length(name), value);
}

bool unset_variable(const char* name) {
  struct variable* const found = find_variable(name);
  if (found == NULL) return true;
  if (found->read_only) return false;
  drop(found->value);
  found->value = NULL;
  found->exported = false;
  return true;
}

static bool is_in_environment(const struct variable* variable) {
  return variable->exported && variable->value != NULL;
}

char** environment_of(void) {
  size_t count = 0;
  for (int list = 0; list < lists; ++list) {
    for (const struct variable* each = variables[list]; each != NULL; each = each->next) {
      count += is_in_environment(each);
    }
  }
  char** const made = take((count + 1) * sizeof *made);
  char** to = made;
  for (int list = 0; list < lists; ++list) {
    for (const struct variable* each = variables[list]; each != NULL; each = each->next) {
      if (is_in_environment(each)) *to++ = join(each->name, "=", each->value, NULL);
    }
  }
  *to = NULL;
  return made;
}

// IFS is not taken: a program that runs as another user could be led by it.
void import_environment(char** environment) {
  for (; *environment != NULL; ++environment) {
    const size_t length = name_length(*environment);
    if (length == 0 || (*environment)[length] != '=' || text_begins(*environment, "IFS=")) continue;
    struct variable* const variable = find_or_make(*environment, length);
    drop(variable->value);
    variable->value = keep_text(*environment + length + 1);
    variable->exported = true;
  }
}

static void sort(const struct variable** all, size_t count) {
  for (size_t at = 1; at < count; ++at) {
    const struct variable* const moved = all[at];
    size_t to = at;
    for (; to > 0 && text_compare(all[to - 1]->name, moved->name) > 0; --to) all[to] = all[to - 1];
    all[to] = moved;
  }
}

void list_variables(bool (*chosen)(const struct variable*), const char* before) {
  size_t count = 0;
  for (int list = 0; list < lists; ++list) {
    for (const struct variable* each = variables[list]; each != NULL; each = each->next) ++count;
  }
  const struct variable** const all = take((count + 1) * sizeof *all);
  count = 0;
  for (int list = 0; list < lists; ++list) {
    for (const struct variable* each = variables[list]; each != NULL; each = each->next) {
      if (chosen(each)) all[count++] = each;
    }
  }
  sort(all, count);
  for (size_t at = 0; at < count; ++at) {
    out(before);
    out(all[at]->name);
    if (all[at]->value != NULL) {
      out_character('=');
      out_quoted(all[at]->value);
    }
    out_character('\n');
  }
}

void save_variable(struct saved_variable** list, const char* name) {
  struct variable* const variable = declare(name);
  struct saved_variable* const saved = keep(sizeof *saved);
  *saved = (struct saved_variable){
      .next = *list,
      .variable = variable,
      .value = variable->value == NULL ? NULL : keep_text(variable->value),
      .exported = variable->exported,
      .read_only = variable->read_only,
  };
  *list = saved;
}

void restore_variables(struct saved_variable* list) {
  while (list != NULL) {
    struct saved_variable* const next = list->next;
    struct variable* const variable = list->variable;
    drop(variable->value);
    variable->value = list->value;
    variable->exported = list->exported;
    variable->read_only = list->read_only;
    drop(list);
    list = next;
  }
}
