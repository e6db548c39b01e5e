#!/bin/bash
# gprof charges the ticks of a profile that glibc wrote to the wrong function.
#
# Versions: Debian 12, glibc 2.36, binutils 2.40, GCC 12.2; x86-64.
# glibc's monstartup() rounds the number of counters up, but gives profil(2) an integer scale, one counter for four
# bytes of text. The header of gmon.out has only the range and the number of counters, so gprof takes range / number as
# the width of a counter. That is a little less than four bytes. The error grows along the text.
# Seen: a program that spends all of its time in a loop of the last function, `hot`, and never calls the function
# before it, `cold`. gprof gives `cold` all samples.
source "$(dirname "$(readlink -f "$0")")/unpack"
unpack "${native_gcc[@]}"

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
  fail "gprof no longer gives cold the samples of hot"
