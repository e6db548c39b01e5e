/* streamio(7), getmsg(2), putmsg(2) */
#pragma once
struct strbuf {
  int maxlen, len;
  char* buf;
};
int getmsg(int, struct strbuf*, struct strbuf*, int*), getpmsg(int, struct strbuf*, struct strbuf*, int*, int*);
int putmsg(int, const struct strbuf*, const struct strbuf*, int);
int putpmsg(int, const struct strbuf*, const struct strbuf*, int, int), isastream(int);
