# Parameter expansion in all its forms.
unset u; e=; v=value
echo "${u-default}|${e-default}|${v-default}"
echo "${u:-default}|${e:-default}|${v:-default}"
echo "${u+set}|${e+set}|${v+set}|${u:+set}|${e:+set}|${v:+set}"
echo "${w=assigned} $w ${e:=now} $e"
p=/usr/local/lib/libc.so.1
echo ${p#*/} ${p##*/} ${p%/*} ${p%%/*} ${p%.*} ${p##*.} ${p%%.*}
echo ${#p} ${#v} ${#u} "${#}"
set -- one two "three four" five
echo $# "$1" "${3}" ${4} "$5"
echo "$*" "$@"
for i in "$@"; do echo "<$i>"; done
for i in $@; do echo "<$i>"; done
for i in "$*"; do echo "<$i>"; done
IFS=:; echo "$*"; echo $*; unset IFS
set -- a b c d e f g h i j k
echo $10 ${10} ${11}
shift 3; echo $1 $#
shift; echo "$1"
echo "${v}x" $v'x' ${v}'x' "a${v#val}b" ${v%"e"} ${v%'ue'}
q='*'; echo "${q#\*}" "${q%"$q"}." ${p#"/usr"}
echo ${u-a b} "${u-a b}" "${u-"a  b"}" ${u-'c  d'}
echo "${u-it's}" "${u:-\}}" ${u:-"}"}
set --; echo "[$@]" "[$*]" $# "${1-none}"
for i in "$@"; do echo never; done
for i in x"$@"y; do echo "<$i>"; done
set -- ""; for i in "$@"; do echo "<$i>"; done
set -- 1 2; for i in "a$@b"; do echo "<$i>"; done
set -- "a b" "" c; printf '<%s>' "$@"; echo; printf '<%s>' $@; echo
echo ${v:?message} $?
n=5; echo $((n+1)) ${n}th
echo "${p##*"/"}"
y=${u-"$v"}; echo $y
HOME=/home/me; echo ~ ~/x "~" '~' a~ x=~
PATH2=~/bin:~/lib; echo $PATH2
set -- a; echo "<${##1}>" "<${#%1}>" "${##x}" "${#-0}" "${##}" "${#?}"
set -- abc "d e"; v=$*; w="$*"; echo "$v|$w"; IFS=; v=$*; w="$*"; echo "$v|$w"; unset IFS
