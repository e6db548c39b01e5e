# Fields.
show() { printf '%s:' $#; printf '<%s>' "$@"; echo; }
x='  a   b	c
d  '
show $x
show "$x"
show pre$x post
IFS=:
x=a:b::c:; show $x
x=:a; show $x
x='a b:c d'; show $x
x=::; show $x
IFS=': '; x='a : b'; show $x
x='a :: b'; show $x
x=' a '; show $x
x='a:b '; show $x
IFS=; x='a b'; show $x
set -- 'a b' c; show $* ; show $@ ; show "$*"
unset IFS
x='a b'; show $x; show x$x"y z"$x
y=$x; show "$y"
show $(echo a b; echo c) "$(echo a b; echo c)"
show `echo` "`echo`"
show ${nothing} "${nothing}" ''
empty=; show $empty; show a $empty b
IFS=x; y=axbxc; show $y axb "$y" ${y}x
unset IFS
z='*'; show "$z"
set -f; show *; set +f
IFS=', '; show $(echo 'a, b,c , d')
