/* ctime(3C), strftime(3C), clock(3C). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "time_text.h"

long timezone;
int daylight;
char* tzname[2] = {"UTC", ""};

static char zone_names[2][16];
static long summer_offset;

static const char* const days[] = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                   "Thursday", "Friday", "Saturday"};
static const char* const months[] = {"January",   "February", "March",    "April",
                                     "May",       "June",     "July",     "August",
                                     "September", "October",  "November", "December"};

/* Days since 1970-01-01 of a date in the Gregorian calendar; month 0 is January. */
static long days_of(long year, int month, int day) {
  long from_march = year - (month < 2), shifted = (month + 10) % 12;
  long era = (from_march >= 0 ? from_march : from_march - 399) / 400,
       of_era = from_march - era * 400;
  long of_year = (153 * shifted + 2) / 5 + day - 1;
  return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

static void set_date(long day, struct tm* to) {
  long shifted = day + 719468, era = (shifted >= 0 ? shifted : shifted - 146096) / 146097;
  long of_era = shifted - era * 146097;
  long year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
  long of_year = of_era - (365 * year + year / 4 - year / 100), march = (5 * of_year + 2) / 153;
  to->tm_mday = of_year - (153 * march + 2) / 5 + 1;
  to->tm_mon = (march + 2) % 12;
  to->tm_year = year + era * 400 + (to->tm_mon < 2) - 1900;
  to->tm_yday = day - days_of(to->tm_year + 1900, 0, 1);
  to->tm_wday = ((day + 4) % 7 + 7) % 7;
}

static void set_time(long seconds, struct tm* to) {
  long day = seconds / 86400, rest = seconds % 86400;
  if (rest < 0) rest += 86400, --day;
  set_date(day, to);
  to->tm_hour = rest / 3600;
  to->tm_min = rest / 60 % 60;
  to->tm_sec = rest % 60;
}

static struct tm broken_down;

struct tm* gmtime_r(const time_t* clock, struct tm* to) {
  set_time(*clock, to);
  to->tm_isdst = 0;
  return to;
}

struct tm* gmtime(const time_t* clock) {
  return gmtime_r(clock, &broken_down);
}

static const char* read_name(const char* text, char* to) {
  size_t length = strcspn(text, "+-0123456789,:");
  size_t kept = length < sizeof *zone_names ? length : sizeof *zone_names - 1;
  memcpy(to, text, kept);
  to[kept] = 0;
  return text + length;
}

/* [+-]hh[:mm[:ss]] west of Greenwich. */
static const char* read_offset(const char* text, long* offset) {
  int is_negative = *text == '-';
  if (*text == '-' || *text == '+') ++text;
  long value = 0, unit = 3600;
  for (;; ++text, unit /= 60) {
    char* end;
    value += strtol(text, &end, 10) * unit;
    text = end;
    if (*text != ':' || unit == 1) break;
  }
  *offset = is_negative ? -value : value;
  return text;
}

/* environ(5): TZ=EST5EDT. Rules behind a comma are not read: they are those of the United States.
 */
void tzset(void) {
  const char* zone = getenv("TZ");
  tzname[0] = "UTC";
  tzname[1] = "";
  timezone = daylight = 0;
  if (zone == NULL || *zone == 0) return;
  if (*zone == ':') ++zone;
  zone = read_offset(read_name(zone, zone_names[0]), &timezone);
  tzname[0] = zone_names[0];
  summer_offset = timezone - 3600;
  if (*zone == 0 || *zone == ',') return;
  zone = read_name(zone, zone_names[1]);
  tzname[1] = zone_names[1];
  daylight = 1;
  if (*zone != 0 && *zone != ',') read_offset(zone, &summer_offset);
}

static long sunday_on_or_after(long day) {
  return day + (7 - ((day + 4) % 7 + 7) % 7) % 7;
}

/* From 2 o'clock on the first Sunday of April (until 1986 the last) to the last of October. */
static int is_summer(time_t clock) {
  struct tm local;
  long standard = clock - timezone;
  set_time(standard, &local);
  long year = local.tm_year + 1900;
  long first = year < 1987 ? sunday_on_or_after(days_of(year, 3, 24))
                           : sunday_on_or_after(days_of(year, 3, 1));
  long last = sunday_on_or_after(days_of(year, 9, 25));
  return standard >= first * 86400 + 7200 && standard < last * 86400 + 3600;
}

struct tm* localtime_r(const time_t* clock, struct tm* to) {
  tzset();
  int summer = daylight && is_summer(*clock);
  set_time(*clock - (summer ? summer_offset : timezone), to);
  to->tm_isdst = summer;
  return to;
}

struct tm* localtime(const time_t* clock) {
  return localtime_r(clock, &broken_down);
}

time_t mktime(struct tm* t) {
  tzset();
  long year = t->tm_year + 1900 + t->tm_mon / 12;
  int month = t->tm_mon % 12;
  if (month < 0) month += 12, --year;
  long seconds = days_of(year, month, 1) + t->tm_mday - 1;
  seconds = ((seconds * 24 + t->tm_hour) * 60 + t->tm_min) * 60 + t->tm_sec;
  time_t made = seconds + timezone;
  int summer = t->tm_isdst < 0 ? daylight && is_summer(made) : t->tm_isdst > 0;
  if (summer && daylight) made = seconds + summer_offset;
  *t = *localtime(&made);
  return made;
}

char* asctime_r(const struct tm* t, char* text) {
  sprintf(text, "%.3s %.3s %2d %02d:%02d:%02d %d\n", days[t->tm_wday], months[t->tm_mon],
          t->tm_mday, t->tm_hour, t->tm_min, t->tm_sec, t->tm_year + 1900);
  return text;
}

char* asctime(const struct tm* t) {
  static char text[64];
  return asctime_r(t, text);
}

char* ctime_r(const time_t* clock, char* text) {
  struct tm local;
  return asctime_r(localtime_r(clock, &local), text);
}

char* ctime(const time_t* clock) {
  return asctime(localtime(clock));
}

double difftime(time_t end, time_t start) {
  return (double)end - (double)start;
}

/* The week of the year, counted from its first day `start` (0 Sunday). */
static int week_of(const struct tm* t, int start) {
  return (t->tm_yday + 7 - (t->tm_wday - start + 7) % 7) / 7;
}

static int format_letter(char* to, char letter, const struct tm* t) {
  int hour = t->tm_hour % 12 == 0 ? 12 : t->tm_hour % 12;
  switch (letter) {
    case 'a':
      return sprintf(to, "%.3s", days[t->tm_wday]);
    case 'A':
      return sprintf(to, "%s", days[t->tm_wday]);
    case 'b':
    case 'h':
      return sprintf(to, "%.3s", months[t->tm_mon]);
    case 'B':
      return sprintf(to, "%s", months[t->tm_mon]);
    case 'C':
      return sprintf(to, "%02d", (t->tm_year + 1900) / 100);
    case 'd':
      return sprintf(to, "%02d", t->tm_mday);
    case 'e':
      return sprintf(to, "%2d", t->tm_mday);
    case 'H':
      return sprintf(to, "%02d", t->tm_hour);
    case 'I':
      return sprintf(to, "%02d", hour);
    case 'j':
      return sprintf(to, "%03d", t->tm_yday + 1);
    case 'm':
      return sprintf(to, "%02d", t->tm_mon + 1);
    case 'M':
      return sprintf(to, "%02d", t->tm_min);
    case 'n':
      return sprintf(to, "\n");
    case 'p':
      return sprintf(to, "%s", t->tm_hour < 12 ? "AM" : "PM");
    case 'S':
      return sprintf(to, "%02d", t->tm_sec);
    case 't':
      return sprintf(to, "\t");
    case 'u':
      return sprintf(to, "%d", t->tm_wday == 0 ? 7 : t->tm_wday);
    case 'U':
      return sprintf(to, "%02d", week_of(t, 0));
    case 'w':
      return sprintf(to, "%d", t->tm_wday);
    case 'W':
      return sprintf(to, "%02d", week_of(t, 1));
    case 'y':
      return sprintf(to, "%02d", t->tm_year % 100);
    case 'Y':
      return sprintf(to, "%d", t->tm_year + 1900);
    case 'Z':
      return sprintf(to, "%s", tzname[t->tm_isdst > 0]);
    default:
      return sprintf(to, "%c", letter);
  }
}

size_t strftime(char* to, size_t size, const char* text, const struct tm* t) {
  size_t used = 0;
  for (; *text != 0; ++text) {
    char part[80] = {*text};
    size_t length = 1;
    if (*text == '%' && text[1] != 0) {
      const char* expansion = expansion_of(*++text);
      length = expansion != NULL ? strftime(part, sizeof part, expansion, t)
                                 : (size_t)format_letter(part, *text, t);
    }
    if (used + length >= size) return 0;
    memcpy(to + used, part, length);
    used += length;
  }
  if (used < size) to[used] = 0;
  return used;
}
