# Functions, return, local variables and recursion.
f() { echo "f: $# $1"; return 5; }
f a b; echo $?
g() {
  x=changed
  set -- new
  echo $1
}
set -- old; g; echo $1 $x
fact() { if [ $1 -le 1 ]; then echo 1; else n=$(fact $(($1-1))); echo $(($1*n)); fi; }
fact 10
h() { local v=inner; echo $v; k; }; k() { echo "k sees $v"; }; v=outer; h; echo $v
r() { for i in 1 2 3; do [ $i = 2 ] && return 9; echo $i; done; }; r; echo $?
s() ( y=sub; echo $y ); y=top; s; echo $y
t() { return; }; false; t; echo $?
u() { v() { echo nested; }; }; u; v
named() { echo first; }; named; named() { echo second; }; named
unset -f named; named 2>/dev/null; echo $?
countdown() { [ $1 -eq 0 ] && return; echo $1; countdown $(($1-1)); }; countdown 3
out() { echo redirected; }; out > f; read z < f; echo $z
q() { echo "$a"; }; a=g; a=temp q; echo $a
true() { echo mine; }; true; command true; echo $?; unset -f true
m() { echo "$@"; }; m "a  b" c
n() { echo $0 | { read x; [ -n "$x" ] && echo has name; }; }; n
deep() { [ $1 -gt 50 ] || deep $(($1+1)); }; deep 0; echo deep $?
shiftall() { while [ $# -gt 0 ]; do printf '%s,' "$1"; shift; done; echo; }; shiftall a b c
ret() { while :; do return 4; done; }; ret; echo $?
eval 'ev() { echo defined by eval; }'; ev
first() { while return 2; do :; done; }; first; echo $?
