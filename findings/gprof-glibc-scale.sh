#!/bin/bash
# gprof charges the ticks of a profile that glibc wrote to the wrong function.
#
# Versions: Debian 12, glibc 2.36, binutils 2.40, GCC 12.2; x86-64.
# glibc's monstartup() rounds the number of counters up, but gives profil(2) an integer scale, one counter for four
# bytes of text. The header of gmon.out has only the range and the number of counters, so gprof takes range / number as
# the width of a counter. That is a little less than four bytes. The error grows along the text.
# Seen: a program that spends all of its time in a loop of the last function, `hot`, and never calls the function
# before it, `cold`. gprof gives `cold` all samples.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get -qq download gcc-12=12.2.0-14+deb12u1 cpp-12=12.2.0-14+deb12u1 libgcc-12-dev=12.2.0-14+deb12u1 \
  libc6-dev=2.36-9+deb12u14 libc6=2.36-9+deb12u14 linux-libc-dev libgcc-s1 libcrypt1 libcrypt-dev \
  binutils=2.40-2 binutils-x86-64-linux-gnu=2.40-2 binutils-common=2.40-2 libbinutils=2.40-2 libctf0=2.40-2 \
  libctf-nobfd0=2.40-2 libgprofng0=2.40-2 libisl23 libmpc3 libmpfr6 libgmp10 libzstd1 zlib1g libjansson4
for package in *.deb; do dpkg-deb -x "$package" root; done
[[ -e root/lib ]] || ln -s usr/lib root/lib
[[ -e root/lib64 ]] || ln -s usr/lib64 root/lib64
export LD_LIBRARY_PATH=$work/root/usr/lib/x86_64-linux-gnu PATH=$work/root/usr/bin:$PATH

cat >hot.s <<'END'
	.text
	.globl cold, hot
	.type cold, @function
cold:	.fill 16, 1, 0x90
	.size cold, . - cold
	.type hot, @function
hot:	dec %rdi
	jnz hot
	ret
	.size hot, . - hot
	.section .note.GNU-stack,"",@progbits
END
cat >main.c <<'END'
void cold(void), hot(long);
int main(void) { hot(1500000000); return 0; }
void (*keep)(void) = cold;
END
gcc-12 --sysroot="$work/root" -B"$work/root/usr/bin/" -static -pg -o program main.c -Wl,--start-group -lc -lgcc -lgcc_eh -Wl,--end-group hot.s
./program
gprof -b -p program gmon.out | sed -n 1,8p | tee found
grep -Eq '^ *(9[0-9]|100)\.[0-9]+ .* cold$' found ||
  { echo "gprof-glibc-scale: gprof no longer gives cold the samples of hot" >&2; exit 1; }
