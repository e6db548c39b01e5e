# Lists, loops and conditions.
true && echo yes || echo no; false && echo yes || echo no
! true; echo $?; ! false; echo $?
if false; then echo a; elif true; then echo b; else echo c; fi
if false; then :; fi; echo $?
if
  true
then
  echo lines
fi
i=0; while [ $i -lt 3 ]; do i=$((i+1)); [ $i = 2 ] && continue; echo $i; done
until [ $i -eq 0 ]; do i=$((i-1)); done; echo $i
for i in 1 2 3; do for j in a b c; do [ $j = b ] && continue 2; [ $i = 3 ] && break 2; echo $i$j; done; done
for i in; do echo never; done; echo $?
for i
do echo never; done
set -- p q; for i do echo $i; done; for i
do
  echo $i
done
while :; do break; done; echo $?
while false; do :; done; echo $?
(exit 3); echo $?; (exit 3) || echo failed $?
{ echo a; echo b; }; { false; }; echo $?
false | true; echo $?; true | false; echo $?; ! false | false; echo $?
echo a | { read x; echo $x; } | { read y; echo "$y!"; }
x=outer; (x=inner; echo $x); echo $x
x=1; { x=2; }; echo $x
echo x | read x; echo $x
sleep_() { :; }; sleep_ & wait; echo $?
(exit 7) & wait $!; echo $?
true; echo $?; nosuchcommand 2>/dev/null; echo $?
./nosuch 2>/dev/null; echo $?
/ 2>/dev/null; echo $?
case a in a) false;; esac; echo $?
while true; do if true; then break; fi; done; echo done
for x in a b; do case $x in a) continue;; esac; echo $x; done
if ! false; then echo not; fi
a=1 b=2; echo $a $b; a=3 true; echo $a
X=temp printf '%s\n' "${X-unset}"; echo "${X-unset}"
x=$(false); echo $?; x=$(exit 4) y=5; echo $?
true & : ; echo $?
if (true; false); then echo t; else echo f; fi
f() if true; then echo in function; fi; f
: && : || : ; echo end;
