/* setlocale(3C), localeconv(3C): there is the C locale. */
#include <string.h>

struct lconv {
  char *decimal_point, *thousands_sep, *grouping, *int_curr_symbol, *currency_symbol;
  char *mon_decimal_point, *mon_thousands_sep, *mon_grouping, *positive_sign, *negative_sign;
  char int_frac_digits, frac_digits, p_cs_precedes, p_sep_by_space, n_cs_precedes, n_sep_by_space;
  char p_sign_posn, n_sign_posn;
};

char* setlocale(int category, const char* name) {
  (void)category;
  int is_c = name == NULL || *name == 0 || strcmp(name, "C") == 0 || strcmp(name, "POSIX") == 0;
  return is_c ? "C" : NULL;
}

struct lconv* localeconv(void) {
  enum { none = 127 };
  static struct lconv c = {".", "",   "",   "",   "",   "",   "",   "",   "",
                           "",  none, none, none, none, none, none, none, none};
  return &c;
}
