#!/bin/bash
# Under qemu-user a transfer whose buffer ends early is EFAULT; Linux moves what fits, or never looks at the buffer.
#
# Versions: Debian 12, qemu-user 7.2, glibc 2.36, GCC 12.2; Linux, x86-64.
# QEMU locks the whole buffer before it makes the host's call (linux-user/syscall.c, lock_user()). Linux finds out
# while it copies: read(2) and write(2) of a file return the bytes before the hole, /dev/null counts all bytes without
# reading them, and /dev/full is ENOSPC whatever the buffer is (drivers/char/mem.c). So a program that looks for the
# end of its memory by such calls goes another way, and qemu-user is no oracle for partial transfers.
source "$(dirname "$(readlink -f "$0")")/unpack"
unpack "${native_gcc[@]}" qemu-user=1:7.2+dfsg-7+deb12u18+b3 libglib2.0-0 libgnutls30 libnettle8 libhogweed6 \
  libp11-kit0 libidn2-0 libunistring2 libtasn1-6 libffi8 libpcre2-8-0 liburing2

cat >main.c <<'END'
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void tell(const char* what, long result) {
  if (result >= 0) printf("%s %ld\n", what, result);
  else printf("%s %s\n", what, errno == EFAULT ? "EFAULT" : errno == ENOSPC ? "ENOSPC" : "another error");
}

/* 100 bytes, of which the first 10 are in memory. */
int main(void) {
  char* pages = mmap(0, 2 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  munmap(pages + 4096, 4096);
  char* buffer = pages + 4096 - 10;
  tell("write /dev/null:", write(open("/dev/null", O_WRONLY), buffer, 100));
  tell("write /dev/full:", write(open("/dev/full", O_WRONLY), buffer, 100));
  tell("write a file:", write(open("file", O_WRONLY | O_CREAT, 0600), buffer, 100));
  tell("read /dev/zero:", read(open("/dev/zero", O_RDONLY), buffer, 100));
}
END
gcc-12 --sysroot="$work/root" -B"$work/root/usr/bin/" -static -o main main.c
{ echo Linux; ./main; echo QEMU; qemu-x86_64 ./main; } | tee found
printf '%s\n' Linux 'write /dev/null: 100' 'write /dev/full: ENOSPC' 'write a file: 10' 'read /dev/zero: 10' \
  QEMU 'write /dev/null: EFAULT' 'write /dev/full: EFAULT' 'write a file: EFAULT' 'read /dev/zero: EFAULT' >expected
cmp -s expected found || fail "the results are others now"
