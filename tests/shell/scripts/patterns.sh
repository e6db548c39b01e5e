# case, # and %, and pathnames.
try() { case $1 in $2) echo "$1 matches $2";; *) echo "$1 does not match $2";; esac; }
try abc abc; try abc 'a*'; try abc '*c'; try abc 'a?c'; try abc '[a-c]bc'; try abc '[!a]bc'
try abc '[^b]bc'; try 'a]c' 'a[]]c'; try a-c 'a[a-]c'; try abc '*'; try '' '*'; try abc '?'
try abc '**c'; try aXbXc 'a*X*c'; try 'a*c' 'a\*c'; try 'abc' 'a\*c'; try '[' '['; try 'a[b' 'a[b'
try 5 '[[:digit:]]'; try x '[[:digit:]]'; try x '[[:alpha:][:digit:]]'; try ' ' '[[:space:]]'
try aaaaaaaaaaaaaaaaaaaaab 'a*a*a*a*a*a*a*a*c'
case "a*" in "a*") echo quoted;; esac
case ab in "a*") echo wrong;; a"b") echo right;; esac
case x in y) ;; x | z) echo one of two;; esac
case x in (x) echo with parenthesis; esac
case none in a) echo a;; esac; echo $?
case $nothing in "") echo empty;; esac
mkdir() { return 1; }
: > b.txt; : > a.txt; : > .hidden; : > 'sp ace.txt'; : > c.c
echo *.txt; echo *; echo .h*; echo ?.txt; echo [ab].txt; echo [!ab].*; echo nothing*; echo "*.txt" '*'.txt \*.c
for f in *.txt; do echo "<$f>"; done
x='*.txt'; echo $x "$x"
echo ./*.c /dev/nul[l] /de*/null
y=a.b.c; echo ${y#*.} ${y##*.} ${y%.*} ${y%%.*} ${y#b} ${y%"*"}
