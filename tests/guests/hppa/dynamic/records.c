/* Dates, money, users of the system, and what programs by HP's compilers ask of the library, printed. The same source is
 * built for the host: both must print the same. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <utmp.h>

ssize_t strfmon(char *, size_t, const char *, ...);
char *setlocale(int, const char *);
enum { locale_of_characters = 2 };

/* ---- Dates. What the present decides is compared with it here. */

static void write_forms(void) {
  FILE *forms = fopen("forms", "w");
  fputs("%m/%d/%y %H:%M:%S\n%d.%m.%Y %H.%M\n%Y-%m-%d\n%A, %d %B %Y at %I %p\n%B %d %Y\n%H:%M\n%a\n%B %d\n%B\n%I:%M %p\n", forms);
  fclose(forms);
}

static void print_date(const char *text, int is_time_given) {
  const struct tm *t = getdate(text);
  printf("%s:", text);
  if (t == NULL) {
    printf(" error %d\n", getdate_err);
    return;
  }
  printf(" %d-%d-%d %d %d", t->tm_year, t->tm_mon, t->tm_mday, t->tm_wday, t->tm_yday);
  if (is_time_given) printf(" %d:%d:%d", t->tm_hour, t->tm_min, t->tm_sec);
  printf("\n");
}

static long days_from_now(struct tm *t) {
  const time_t present = time(NULL);
  struct tm today = *localtime(&present), then = *t;
  today.tm_hour = then.tm_hour = 12;
  return (long)(mktime(&then) + 43200 - mktime(&today)) / 86400;
}

static void print_relative(void) {
  const time_t present = time(NULL);
  const struct tm now = *localtime(&present);
  char text[16];
  strftime(text, sizeof text, "%a", &now);
  struct tm *t = getdate(text);
  printf("today %d %d\n", t->tm_wday == now.tm_wday, days_from_now(t) == 0);
  const time_t later = present + 3 * 86400;
  strftime(text, sizeof text, "%a", localtime(&later));
  printf("in three days %d\n", days_from_now(getdate(text)) == 3);
  const int hour = (now.tm_hour + 23) % 24;
  sprintf(text, "%02d:%02d", hour, 30);
  t = getdate(text);
  printf("an hour ago %d %d %d %d\n", t->tm_hour == hour, t->tm_min, t->tm_sec, days_from_now(t) == (hour < now.tm_hour));
  t = getdate(now.tm_mon == 0 ? "December" : "January");
  printf("month %d\n", t->tm_year == now.tm_year + (now.tm_mon != 0));
}

static void dates(void) {
  putenv("DATEMSK=forms");
  write_forms();
  print_date("09/26/94 14:05:06", 1);
  print_date("26.09.1994 14.05", 1);
  print_date(" 1994-09-26 ", 0);
  print_date("monday, 26 september 1994 at 3 PM", 1);
  print_date("Feb 28 2001", 0);
  print_date("February 29 2000", 0);
  print_date("February 29 2001", 0);
  print_date("nonsense", 0);
  print_relative();
  putenv("DATEMSK=no-forms");
  printf("no file %d\n", getdate("1994-09-26") == NULL && (getdate_err == 2 || getdate_err == 3));
  putenv("DATEMSK=.");
  print_date("1994-09-26", 0);
  putenv("DATEMSK=");
  print_date("1994-09-26", 0);
}

/* ---- Money */

static void print_money(const char *format, double value) {
  char text[64] = "";
  const long length = strfmon(text, sizeof text, format, value, value);
  printf("money %s %g: %ld [%s]\n", format, value, length, text);
}

static void money(void) {
  static const char *const formats[] = {"%n",    "%i",     "%11n",     "%-11n|",  "%=*#6n", "%#6n",   "%=0#8.3i", "%^n",     "%+n",
                                        "%(n",   "%!i",    "%.0n",     "%.4i",    "%%",     "%(#5n",  "%^#5n|",   "a%nb%ic", "%15#5.2n",
                                        "%z",    "%",      "%(15#5n|", "%=f#5.1n"};
  for (size_t i = 0; i < sizeof formats / sizeof *formats; ++i) {
    print_money(formats[i], 1234.567);
    print_money(formats[i], -78.995);
    print_money(formats[i], 0);
  }
  char little[6] = "";
  const long at_most = strfmon(little, sizeof little, "%n", 12.34), too_long = strfmon(little, sizeof little, "%n", 123.45);
  printf("room %ld %ld\n", at_most, too_long);
}

/* ---- Users */

static struct utmp user(int type, const char *id, const char *line, const char *name) {
  struct utmp made;
  memset(&made, 0, sizeof made);
  made.ut_type = type;
  strncpy(made.ut_id, id, sizeof made.ut_id);
  strncpy(made.ut_line, line, sizeof made.ut_line);
  strncpy(made.ut_user, name, sizeof made.ut_user);
  return made;
}

static void print_user(const char *title, const struct utmp *found) {
  if (found == NULL) {
    printf("%s: none\n", title);
  } else {
    printf("%s: %d %.4s %.12s %.8s\n", title, found->ut_type, found->ut_id, found->ut_line, found->ut_user);
  }
}

static void print_users(const char *title) {
  setutent();
  for (const struct utmp *each; (each = getutent()) != NULL;) print_user(title, each);
}

static void put_user(int type, const char *id, const char *line, const char *name) {
  const struct utmp one = user(type, id, line, name);
  setutent();
  pututline(&one);
}

static void users(void) {
  close(open("users", O_RDWR | O_CREAT, 0644));
  utmpname("users");
  put_user(BOOT_TIME, "", "system boot", "");
  put_user(LOGIN_PROCESS, "01", "tty1", "LOGIN");
  put_user(USER_PROCESS, "02", "tty2", "ann");
  put_user(USER_PROCESS, "03", "tty3", "bob");
  put_user(DEAD_PROCESS, "04", "tty3", "");
  put_user(USER_PROCESS, "01", "tty1", "eve");
  print_users("first");
  put_user(DEAD_PROCESS, "02", "tty2", "");
  put_user(BOOT_TIME, "", "system boot", "again");
  print_users("second");
  struct utmp wanted = user(DEAD_PROCESS, "03", "", "");
  setutent();
  print_user("by id", getutid(&wanted));
  print_user("behind", getutent());
  wanted = user(BOOT_TIME, "", "", "");
  setutent();
  print_user("by type", getutid(&wanted));
  wanted = user(EMPTY, "", "tty3", "");
  setutent();
  struct utmp *found = getutline(&wanted);
  print_user("by line", found);
  if (found != NULL) memset(found, 0, sizeof *found);
  print_user("once more", getutline(&wanted));
  wanted = user(USER_PROCESS, "99", "tty9", "");
  setutent();
  print_user("nobody", getutid(&wanted));
  endutent();
  print_user("from the start", getutent());
  endutent();
  struct stat status;
  printf("whole records %d\n", stat("users", &status) == 0 && (size_t)status.st_size == 5 * sizeof wanted);
}

/* ---- Folders, characters, times */

static int is_text(const struct dirent *entry) { return strstr(entry->d_name, ".t") != NULL; }

static void folders(void) {
  static const char *const names[] = {"b.t", "a.t", "c.u", "aa.t", "Z.t"};
  mkdir("folder", 0755);
  for (int i = 0; i < 5; ++i) {
    char path[32];
    sprintf(path, "folder/%s", names[i]);
    close(open(path, O_RDWR | O_CREAT, 0644));
  }
  struct dirent **entries;
  const int count = scandir("folder", &entries, is_text, alphasort);
  printf("folder %d:", count);
  for (int i = 0; i < count; ++i) printf(" %s", entries[i]->d_name);
  printf("\nnone %d, all %d\n", scandir("no-folder", &entries, NULL, NULL), scandir("folder", &entries, NULL, NULL));
}

static void times_of_clock(void) {
  struct timespec time_now = {0, -1}, resolution = {-1, 0};
  int result = clock_gettime(CLOCK_REALTIME, &time_now);
  const long behind = (long)time(NULL) - (long)time_now.tv_sec;
  printf("clock %d %d %d\n", result, behind >= -1 && behind < 5, time_now.tv_nsec >= 0 && time_now.tv_nsec < 1000000000);
  result = clock_getres(CLOCK_REALTIME, &resolution);
  printf("resolution %d %d\n", result, resolution.tv_sec == 0 && resolution.tv_nsec > 0);
  printf("no clock %d\n", clock_gettime(12345, &time_now));
}

/* What programs by HP's compilers import; the host has the same by other names. */
#ifdef __x86_64__
#include <errno.h>
#define __errno __errno_location
#define _memcmp memcmp
#define __tolower tolower
#define __toupper toupper
int tolower(int), toupper(int);
#define longest_character (int)MB_CUR_MAX
static double double_of(unsigned long long high, unsigned long long low) { return (__int128)((unsigned __int128)high << 64 | low); }
static float float_of(unsigned long long high, unsigned long long low) { return (__int128)((unsigned __int128)high << 64 | low); }
static int is_taken(void) { return 1; }
#else
int *__errno(void), _memcmp(const void *, const void *, size_t), __tolower(int), __toupper(int);
extern int __nl_char_size;
extern unsigned *__SB_masks;
extern char __memmove_ver;
#define longest_character __nl_char_size
struct wide {
  unsigned long long high, low;
};
double _U_Qfcnvxf_quad_to_dbl(struct wide);
float _U_Qfcnvxf_quad_to_sgl(struct wide);
static double double_of(unsigned long long high, unsigned long long low) { return _U_Qfcnvxf_quad_to_dbl((struct wide){high, low}); }
static float float_of(unsigned long long high, unsigned long long low) { return _U_Qfcnvxf_quad_to_sgl((struct wide){high, low}); }
/* Without a table of classes, and with memmove(). */
static int is_taken(void) {
  char *volatile version = &__memmove_ver;
  return __SB_masks == NULL && version != NULL;
}
#endif

static void integers(void) {
  static const unsigned long long words[][2] = {{0, 0},
                                                {0, 1},
                                                {-1ull, -1ull},
                                                {0, -1ull},
                                                {0, 0x8000000000000000ull},
                                                {-1ull, 0x8000000000000000ull},
                                                {0x8000000000000000ull, 0},
                                                {0x7fffffffffffffffull, -1ull},
                                                {0, 0x20000000000001ull},
                                                {0, 0x20000000000003ull},
                                                {0x20000000000001ull, 0},
                                                {0x20000000000001ull, 1},
                                                {0x1000001, 0},
                                                {0x1000001, 1},
                                                {0, 0x8000000000000400ull},
                                                {0, 0x8000000000000401ull},
                                                {0xfedcba9876543210ull, 0x0123456789abcdefull}};
  for (size_t i = 0; i < sizeof words / sizeof *words; ++i) printf("integer %a %a\n", double_of(words[i][0], words[i][1]), float_of(words[i][0], words[i][1]));
}

static void names(void) {
  close(-1);
  printf("errno %d, compared %d %d, cases %c%c %d\n", *__errno(), _memcmp("ab", "aa", 2) > 0, _memcmp("ab", "ac", 1), __tolower('Q'), __toupper('q'), is_taken());
  printf("longest character %d", longest_character);
  printf(" %d\n", setlocale(locale_of_characters, "C.utf8") != NULL || setlocale(0, "C.UTF-8") != NULL);
}

int main(int count, char **arguments) {
  if (count > 1) mkdir(arguments[1], 0755), chdir(arguments[1]);
  dates();
  money();
  users();
  folders();
  times_of_clock();
  integers();
  names();
  return 0;
}
