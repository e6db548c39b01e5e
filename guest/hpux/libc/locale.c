/* setlocale(3C), localeconv(3C): a locale differs from C in its set of characters. */
#include <stdlib.h>
#include <string.h>

#include "codeset.h"

struct lconv {
  char *decimal_point, *thousands_sep, *grouping, *int_curr_symbol, *currency_symbol;
  char *mon_decimal_point, *mon_thousands_sep, *mon_grouping, *positive_sign, *negative_sign;
  char int_frac_digits, frac_digits, p_cs_precedes, p_sep_by_space, n_cs_precedes, n_sep_by_space;
  char p_sign_posn, n_sign_posn;
};

/* Numbers: GNU bash for HP-UX. */
enum category { lc_all, lc_collate, lc_ctype, lc_monetary, lc_numeric, lc_time, lc_messages, categories };
enum { longest_name = 31 };

/* MB_CUR_MAX of HP's <stdlib.h>. */
int __nl_char_size = 1;
static char names[categories][longest_name + 1] = {"C", "C", "C", "C", "C", "C", "C"};

static int is_c(const char* name) {
  return strcmp(name, "C") == 0 || strcmp(name, "POSIX") == 0;
}

/* LANGUAGE_TERRITORY.CODESET or C.CODESET; _hc_invalid: no such locale. */
static int codeset_of(const char* name) {
  if (is_c(name)) return _hc_ascii;
  const char* dot = strchr(name, '.');
  if (dot == NULL || dot == name || strlen(name) > longest_name) return _hc_invalid;
  return _hc_find_codeset(dot + 1);
}

/* environ(5): what the environment says of the category. */
static const char* wanted_name(enum category category) {
  static const char* const variables[] = {"LC_ALL", "LC_COLLATE", "LC_CTYPE", "LC_MONETARY", "LC_NUMERIC", "LC_TIME", "LC_MESSAGES"};
  const char* const order[] = {"LC_ALL", variables[category], "LANG"};
  for (int i = 0; i < 3; ++i) {
    const char* value = getenv(order[i]);
    if (value != NULL && *value != 0) return value;
  }
  return "C";
}

static int set_category(enum category category, const char* name) {
  if (*name == 0) name = wanted_name(category);
  const int codeset = codeset_of(name);
  if (codeset == _hc_invalid) return 0;
  strcpy(names[category], is_c(name) ? "C" : name);
  if (category == lc_ctype) {
    enum { longest_of_utf_8 = 4 };
    _hc_codeset_data = codeset;
    __nl_char_size = codeset == _hc_utf_8 ? longest_of_utf_8 : 1;
  }
  return 1;
}

/* All that the environment wants, or none. */
static int set_all(const char* name) {
  for (int each = lc_collate; each < categories; ++each) {
    if (codeset_of(*name == 0 ? wanted_name(each) : name) == _hc_invalid) return 0;
  }
  for (int each = lc_collate; each < categories; ++each) set_category(each, name);
  return 1;
}

/* The categories' names with slashes between, unless they are the same. */
static char* name_of_all(void) {
  static char all[categories * (longest_name + 1)];
  strcpy(all, names[lc_collate]);
  int are_same = 1;
  for (int each = lc_ctype; each < categories; ++each) are_same &= strcmp(names[each], all) == 0;
  for (int each = lc_ctype; !are_same && each < categories; ++each) {
    strcat(strcat(all, "/"), names[each]);
  }
  return all;
}

/* What name_of_all() gave. */
static int restore_all(const char* all) {
  char copy[categories * (longest_name + 1)], *rest, *name = copy;
  if (strlen(all) >= sizeof copy) return 0;
  strcpy(copy, all);
  for (int each = lc_collate; each < categories; ++each, name = rest) {
    rest = name + strcspn(name, "/");
    if (*rest == 0 && each + 1 < categories) return 0;
    if (*rest != 0) *rest++ = 0;
    if (!set_category(each, name)) return 0;
  }
  return 1;
}

char* setlocale(int category, const char* name) {
  if (category < lc_all || category >= categories) return NULL;
  int is_set = 1;
  if (name != NULL && category == lc_all) {
    is_set = strchr(name, '/') != NULL ? restore_all(name) : set_all(name);
  } else if (name != NULL) {
    is_set = set_category(category, name);
  }
  if (!is_set) return NULL;
  return category == lc_all ? name_of_all() : names[category];
}

struct lconv* localeconv(void) {
  enum { none = 127 };
  static struct lconv c = {".", "",   "",   "",   "",   "",   "",   "",   "",
                           "",  none, none, none, none, none, none, none, none};
  return &c;
}
