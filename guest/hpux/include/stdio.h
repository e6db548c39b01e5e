/* The layout that getc() and putc() in programs know: HP-UX Reference, stdio(3S), <stdio.h>. */
#pragma once
#include <stdarg.h>
#include <stddef.h>
#include <sys/types.h>
typedef struct {
  int __cnt; /* bytes to read, or room to write before __flsbuf() */
  unsigned char *__ptr, *__base;
  unsigned short __flag;
  unsigned char __fileL, __fileH; /* the descriptor */
} FILE;
enum {
  _IOFBF = 0,
  _IOREAD = 01,
  _IOWRT = 02,
  _IONBF = 04,
  _IOMYBUF = 010,
  _IOEOF = 020,
  _IOERR = 040,
  _IOLBF = 0200,
  _IORW = 0400,
  _IOEXT = 01000,
  _IODUMMY = 02000
};
enum { EOF = -1, BUFSIZ = 1024, _DBUFSIZ = 8192, _NFILE = 60, SEEK_SET = 0, SEEK_CUR, SEEK_END };
enum { L_tmpnam = 25, L_ctermid = 9, L_cuserid = 9, TMP_MAX = 17576 };
#define P_tmpdir "/var/tmp/"
typedef long fpos_t;
extern FILE __iob[_NFILE];
extern unsigned char* __bufendtab[_NFILE];
#define stdin (&__iob[0])
#define stdout (&__iob[1])
#define stderr (&__iob[2])
int __filbuf(FILE*), __flsbuf(unsigned char, FILE*);
int fclose(FILE*), fflush(FILE*), fgetc(FILE*), fputc(int, FILE*), fputs(const char*, FILE*);
int getc(FILE*), getchar(void), putc(int, FILE*), putchar(int), puts(const char*), getw(FILE*);
int putw(int, FILE*), ungetc(int, FILE*), feof(FILE*), ferror(FILE*), fileno(FILE*);
int fseek(FILE*, long, int), fgetpos(FILE*, fpos_t*), fsetpos(FILE*, const fpos_t*);
int setvbuf(FILE*, char*, int, size_t), remove(const char*), rename(const char*, const char*);
int fprintf(FILE*, const char*, ...), printf(const char*, ...), sprintf(char*, const char*, ...);
int snprintf(char*, size_t, const char*, ...);
int vfprintf(FILE*, const char*, va_list), vprintf(const char*, va_list);
int vsprintf(char*, const char*, va_list), vsnprintf(char*, size_t, const char*, va_list);
int fscanf(FILE*, const char*, ...), scanf(const char*, ...), sscanf(const char*, const char*, ...);
int vfscanf(FILE*, const char*, va_list), vscanf(const char*, va_list);
int vsscanf(const char*, const char*, va_list), pclose(FILE*);
long ftell(FILE*);
off_t ftello(FILE*);
int fseeko(FILE*, off_t, int);
void clearerr(FILE*), perror(const char*), rewind(FILE*), setbuf(FILE*, char*),
    setbuffer(FILE*, char*, int);
void setlinebuf(FILE*), flockfile(FILE*), funlockfile(FILE*);
int ftrylockfile(FILE*), getc_unlocked(FILE*), getchar_unlocked(void), putc_unlocked(int, FILE*), putchar_unlocked(int);
size_t fread(void*, size_t, size_t, FILE*), fwrite(const void*, size_t, size_t, FILE*);
char *fgets(char*, int, FILE*), *gets(char*), *tmpnam(char*), *tempnam(const char*, const char*);
char *ctermid(char*), *cuserid(char*);
FILE *fopen(const char*, const char*), *fdopen(int, const char*), *tmpfile(void);
FILE *freopen(const char*, const char*, FILE*), *popen(const char*, const char*);
