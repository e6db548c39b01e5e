/* getdate(3C): a date in one of the forms that the file named by DATEMSK has, a line each. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

int getdate_err;

/* The manual's numbers. */
enum failure {
  no_variable = 1,
  not_opened = 2,
  no_status = 3,
  no_regular_file = 4,
  not_read = 5,
  no_form = 7,
  no_date = 8
};

enum { not_given = -0x7fffffff - 1 };

static struct tm* fail(enum failure why) {
  getdate_err = why;
  return NULL;
}

static int is_whole(const char* text, const char* form, struct tm* to) {
  *to = (struct tm){.tm_sec = not_given,
                    .tm_min = not_given,
                    .tm_hour = not_given,
                    .tm_mday = not_given,
                    .tm_mon = not_given,
                    .tm_year = not_given,
                    .tm_wday = not_given,
                    .tm_yday = not_given,
                    .tm_isdst = -1};
  const char* rest = strptime(text, form, to);
  if (rest == NULL) return 0;
  return rest[strspn(rest, " \t\n")] == 0;
}

/* Whether a line of the file is the text's form; the file is closed. */
static int match(FILE* forms, const char* text, struct tm* to) {
  enum { longest = 512 };
  char form[longest];
  int is_found = 0;
  getdate_err = no_form;
  text += strspn(text, " \t\n");
  while (!is_found && fgets(form, sizeof form, forms) != NULL) {
    form[strcspn(form, "\n")] = 0;
    is_found = is_whole(text, form, to);
  }
  if (ferror(forms)) getdate_err = not_read;
  fclose(forms);
  return is_found;
}

/* What was not given follows from the present. Whether the day of the month was. */
static int complete(struct tm* t, const struct tm* now) {
  const int is_month = t->tm_mon != not_given, is_hour = t->tm_hour != not_given;
  int is_day = t->tm_mday != not_given;
  const int is_date = t->tm_year != not_given || is_month || is_day;
  int days_ahead = 0;
  if (!is_date && t->tm_wday != not_given) {
    enum { week = 7 };
    days_ahead = (t->tm_wday - now->tm_wday + week) % week;
  } else if (!is_date) {
    days_ahead = is_hour && t->tm_hour < now->tm_hour;
  }
  if (is_month && t->tm_year == not_given) t->tm_year = now->tm_year + (t->tm_mon < now->tm_mon && !is_day);
  if (is_month && !is_day) t->tm_mday = 1;
  if (t->tm_year == not_given) t->tm_year = now->tm_year;
  if (t->tm_mon == not_given) t->tm_mon = now->tm_mon;
  if (t->tm_mday == not_given) t->tm_mday = now->tm_mday + days_ahead;
  if (!is_hour && t->tm_min == not_given && t->tm_sec == not_given) {
    t->tm_hour = now->tm_hour, t->tm_min = now->tm_min, t->tm_sec = now->tm_sec;
  }
  if (t->tm_hour == not_given) t->tm_hour = 0;
  if (t->tm_min == not_given) t->tm_min = 0;
  if (t->tm_sec == not_given) t->tm_sec = 0;
  return is_day;
}

struct tm* getdate(const char* text) {
  static struct tm date;
  struct stat status;
  const char* path = getenv("DATEMSK");
  if (path == NULL || *path == 0) return fail(no_variable);
  FILE* forms = fopen(path, "r");
  if (forms == NULL) return fail(not_opened);
  const int is_known = fstat(fileno(forms), &status) == 0;
  if (!is_known || (status.st_mode & S_IFMT) != S_IFREG) {
    fclose(forms);
    return fail(is_known ? no_regular_file : no_status);
  }
  if (!match(forms, text, &date)) return NULL;
  const time_t present = time(NULL);
  struct tm now;
  localtime_r(&present, &now);
  const int is_day_given = complete(&date, &now), day = date.tm_mday;
  if (mktime(&date) == (time_t)-1 || (is_day_given && date.tm_mday != day)) return fail(no_date);
  return &date;
}
