# Built-in commands.
echo -n no newline; echo; echo 'a\tb\nc\\d\0101\c not seen'; echo
echo -e x; echo - a; echo -- a; echo; echo ''
printf '%s %d %5d|%-5d|%05d|%x|%X|%o|%c|%%|%+d\n' str 42 42 42 42 255 255 8 char 7
printf '%s\n' a b c; printf '%s-%s\n' a b c; printf '%5s|%-5s|%.2s|%*s|\n' ab ab abc 4 x; printf 'a\tb\101\n'
printf '%b\n' 'x\ty'; printf '%d %d %d\n' 0x10 010 "'A"; printf '%i %u\n' -5 5; printf 'none\n'; printf '%#x %#o %+d % d\n' 255 8 5 5
printf '%.3d|%8.3d|%-8.3d|\n' 5 5 5; printf '%s'; echo; printf '%d\n' ''
test 1 -eq 1; echo $?; test a = b; echo $?; [ -n "" ]; echo $?; [ "" ]; echo $?; [ x ]; echo $?; [ ]; echo $?
[ ! x ]; echo $?; [ ! -n "" ]; echo $?; [ a = a -a b = b ]; echo $?; [ a = b -o b = b ]; echo $?; [ \( a = a \) ]; echo $?; [ ! a = b ]; echo $?
[ -z "" -a -n x ]; echo $?; [ = = = ]; echo $?; [ -n = x ]; echo $?; [ "(" = ")" ]; echo $?; [ -f ]; echo $?; [ ! ]; echo $?
[ 3 -lt 10 ] && [ 3 -le 3 ] && [ 4 -gt 3 ] && [ 3 -ge 3 ] && [ 3 -ne 4 ] && echo numbers; [ -5 -lt 3 ] && echo negative
: > file; echo x > full; [ -f file ] && [ -e file ] && [ ! -s file ] && [ -s full ] && [ -r file ] && [ -w file ] && [ ! -x file ] && [ ! -d file ] && [ -d . ] && [ -c /dev/null ] && [ ! -h file ] && echo files
[ -d /nonexistent ]; echo $?; [ file -ef ./file ]; echo $?; [ a -eq 1 ] 2>/dev/null; echo $?
set -- a b c; echo $#; set x; echo $1 $#; set -- -e; echo $1; set --; echo $#
set -- -a -b arg -c rest more; while getopts ab:c o; do echo "$o ${OPTARG:-none} $OPTIND"; done; shift $((OPTIND-1)); echo "$@"
OPTIND=1; set -- -xy -z; while getopts :xz: o; do echo "$o ${OPTARG:-none}"; done
OPTIND=1; set -- -abval file; while getopts ab: o; do echo "$o ${OPTARG:-none}"; done; shift $((OPTIND-1)); echo $1
OPTIND=1; set -- -- -a; getopts a o; echo $? $OPTIND
echo 'a b c' | { read x y; echo "<$x><$y>"; }; echo '  a  b  ' | { read x; echo "<$x>"; }; echo 'a\ b c\\d' | { read x y; echo "<$x><$y>"; }
echo 'a\b' | { read -r x; echo "<$x>"; }; echo a:b:c | { IFS=: read x y; echo "<$x><$y>"; }; echo a:b: | { IFS=: read x y; echo "<$x><$y>"; }
echo ' a : b ' | { IFS=: read x y; echo "<$x><$y>"; }; echo | { read x; echo "$? <$x>"; }; echo 'one' | { read a b c; echo "<$a><$b><$c>"; }
printf 'con\\\ntinued\n' | { read x; echo "<$x>"; }; echo 'a:b:c' | { IFS=: read a b c d; echo "<$a><$b><$c><$d>"; }; echo '::x' | { IFS=: read a b c; echo "<$a><$b><$c>"; }
eval 'x=evaluated'; echo $x; eval; echo $?; eval echo '$x' '"a  b"'; y=x; eval "z=\$$y"; echo $z; eval false; echo $?
echo 'dotted=yes; echo in dot $1; return 3; echo never' > dot; . ./dot; echo $? $dotted
export E=exported; readonly R=fixed; (R=x) 2>/dev/null; echo $?; export -p | while read -r l; do case $l in *E=*) echo "$l";; esac; done
unset E; echo ${E-gone}; unset nothing; echo $?
umask 022; umask; umask 077; umask
type echo; type nosuch >/dev/null 2>&1; echo $?; f() { :; }; type f; command -v echo; command -v f; command -v nosuch; echo $?; type if; command -v if
cd /; pwd; echo $PWD; cd dev; pwd; cd -; echo $OLDPWD; cd ..; pwd; cd /dev/../dev/./; pwd; cd /nonexistent 2>/dev/null; echo $?; pwd
kill -0 $$; echo $?; [ $$ -gt 0 ] && echo pid; (kill -0 $$) ; echo $?
true; :; echo $?; false; echo $?; shift 0; echo $?
command echo with command; exec 2>/dev/null; wait; echo $?; hash; echo $?
set -u; (echo $undefined_thing); echo $?; set +u; set -o noglob; echo *; set +o noglob
times | { read a b; case $a in [0-9]*m*s) echo times;; esac; }
exit 6
