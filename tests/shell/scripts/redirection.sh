# Files and here-documents.
echo one > f; echo two >> f
while read line; do echo "got $line"; done < f
read first < f; echo $first
{ read a; read b; } < f; echo $a $b
exec 3< f; read x <&3; read y <&3; exec 3<&-; echo $x $y
exec 4> g; echo to four >&4; exec 4>&-; read z < g; echo "$z"
{ echo out; echo err >&2; } 2>&1
{ echo out; echo err >&2; } 2>/dev/null
(echo sub) > h; read w < h; echo $w
if true; then echo in if; fi > i; read v < i; echo $v
for n in 1 2 3; do echo $n; done > j; while read n; do printf '%s ' $n; done < j; echo
f() { echo from f; } > k; f; read u < k; echo "$u"
read nothing < missing; echo status $?
echo x > /no/such/dir; echo status $?
: > empty; read q < empty; echo $? "<$q>"
x=5
while read line; do echo "$line"; done <<END
x is $x and $(echo command) and \$x and `echo old` $((x * 2)) "quoted" 'single'
END
while read -r line; do echo "$line"; done <<'END'
x is $x $(none) \n `no`
END
while read line; do echo "<$line>"; done <<-END
	tabs
		go
	END
read a <<A; read b <<B
first
A
second
B
echo $a $b
{ read a; read b <<X; read c; } <<Y
inner
X
outer 1
outer 2
Y
echo $a $b $c
echo a | while read x; do echo "piped $x"; done
echo a >f 2>&1; read x <f; echo $x
echo 'a b' | (read p q; echo $q $p)
echo hi 3>&1 >&3
exec 5<&0 </dev/null; read x; echo $?; exec <&5 5<&-
echo no newline at end | { read x; echo $x; }
printf 'no newline' | { read x; echo $? $x; }
set -C; echo a > new; echo b > new; echo $?; echo c >| new; set +C; read x < new; echo $x
x=f; echo into > $x; read y < "$x"; echo $y
echo both <> f
cat_it() { while IFS= read -r l; do printf '%s\n' "$l"; done; }
cat_it <<EOF1
  leading   spaces
${x:-word with } brace
EOF1
cat_it <<"E F"
quoted end
E F
while read -r line; do echo "<$line>"; done <<END
\\ \a \$ \` "\"
END
read x <<$nothing; echo "$x"
one
$nothing
read x <<""; echo "$x"
two

