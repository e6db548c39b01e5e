#!/bin/bash
# UBSan says that a sound object "has invalid vptr" when the process has no two file descriptors left.
#
# Versions: Debian 12, GCC 12.2 with libubsan1 12.2; clang 14's runtime, of the same source, does the same. x86-64.
# Before the check of a virtual call (-fsanitize=vptr) reads the table, it asks whether that memory can be read, by
# writing it to a pipe. If pipe(2) fails, as at a limit of open files, the answer is no. With -fno-sanitize-recover the
# program ends there: a test of "too many open files" fails under the sanitizer, and nothing is wrong with the program.
# A pair of types that has been checked before is not asked for again, so that the report moves with unrelated changes.
source "$(dirname "$(readlink -f "$0")")/unpack"
unpack "${native_gcc[@]}" g++-12=12.2.0-14+deb12u1 libstdc++-12-dev=12.2.0-14+deb12u1 libstdc++6 libubsan1=12.2.0-14+deb12u1

cat >main.cc <<'EOF'
#include <sys/resource.h>

#include <cstdio>

struct Base {
  virtual int one() const { return 1; }
};
struct Derived : Base {
  int one() const override { return 2; }
};

int main(int argc, char** argv) {
  const rlimit most = {rlim_t(argv[1][0] - '0'), 9};
  setrlimit(RLIMIT_NOFILE, &most);
  Base* const object = new Derived;
  std::printf("%d\n", object->one());
  return argc - 2;
}
EOF
g++-12 --sysroot="$work/root" -B"$work/root/usr/bin/" -isystem "$work/root/usr/include/c++/12" \
  -isystem "$work/root/usr/include/x86_64-linux-gnu/c++/12" -fsanitize=vptr -o main main.cc
for limit in 3 4 5; do
  echo "$limit descriptors: $(./main $limit 2>&1 </dev/null | grep -oE '^2$|has invalid vptr' | tr '\n' ' ')"
done | tee found
printf '%s\n' '3 descriptors: has invalid vptr 2 ' '4 descriptors: has invalid vptr 2 ' '5 descriptors: 2 ' >expected
cmp -s expected found || fail "the results are others now"
