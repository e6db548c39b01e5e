# expr, which counts in old scripts.
i=0; while [ $i -lt 3 ]; do i=`expr $i + 1`; done; echo $i
expr 7 - 2; expr 3 \* 4; expr 17 / 5; expr 17 % 5; expr -17 / 5; expr 2 + 3 \* 4; expr \( 2 + 3 \) \* 4
expr 0; echo $?; expr ''; echo $?; expr a; echo $?; expr 1 = 1; expr a = b; echo $?; expr 10 \> 9; expr abc \< abd; expr 2 != 3; expr 5 \<= 5
expr abc : 'a.c'; expr abc : 'a'; expr abc : x; echo $?; expr /usr/lib/x.c : '.*/\(.*\)'; expr x.c : '\(.*\)\.c'; expr aaa : 'a*'; expr '' : 'a*'
expr foo : '[a-z]*'; expr foo9 : '[^0-9]*'; expr abab : '\(ab\)*'; expr x : '\(y\)'; echo $?; expr aab : 'a\{2\}b'; expr abc : 'abc$'; expr abcd : 'abc$'
expr 1 \& 2; expr 0 \& 2; expr 0 \| 3; expr 4 \| 3; expr a \& ''; expr 1 + a 2>/dev/null; echo $?; expr 2>/dev/null; echo $?; expr 1 + 2>/dev/null; echo $?
expr "a b" : 'a b'
