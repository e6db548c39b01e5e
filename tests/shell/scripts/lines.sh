# Where lines may end.
echo a &&
  echo b ||
  echo c
echo d |
  while read x
  do
    echo "<$x>"
  done
case x in
  # a comment
  a)
    echo a
    ;;

  x | y)
    echo x; echo y
    ;;
esac
f ()
{
  echo f
}
f
if true; then
  : # only this
  echo if
elif false
then
  echo elif
else echo else; fi
(
  echo sub
)
x=`echo a
echo b`; echo "$x"
y=$(
  echo c   # with a comment )
  case z in z) echo d;; esac
)
echo "$y"
for i in a \
  b; do echo $i; done
{ echo one;echo two;}
while read l; do echo "$l"; done << E1 && echo after
text
E1
if true; then cat() { :; }; cat << E2; fi
lost
E2
echo $(echo $(echo $(echo deep)))
echo "a
b"
! { false; } && echo not
true;true&&echo x;echo y&wait
echo a;	echo tab
{ echo x; } | { read y; echo $y; }; (echo z)
if (true) then echo paren; fi
