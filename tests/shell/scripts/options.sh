# set -e and its like.
(set -e; false; echo never); echo $?
(set -e; false || true; echo reached); (set -e; if false; then :; fi; echo reached)
(set -e; ! true; echo reached); (set -e; true && false; echo reached); (set -e; while false; do :; done; echo reached)
(set -e; f() { false; echo in f; }; f || echo caught; f; echo never); echo $?
(set -e; (false); echo never); echo $?
(set -e; x=$(false); echo never); echo $?
(set -e; { false; echo a; } && echo b; echo c)
(set -e; false | true; echo piped; true | false; echo never); echo $?
(set -e; for i in 1 2; do [ $i = 2 ]; echo $i; done); echo $?
(set -e; case x in x) false;; esac; echo never); echo $?
set -f; echo *; set +f
set -a; auto=1; set +a; export -p | while read -r l; do case $l in *auto*) echo "$l";; esac; done
(set -n; echo not run); echo $?
(set -x; echo traced) 2>&1
(set -x; a=1 b='2 3'; : "x y") 2>&1 | while read a b; do echo "$a $b" | { read p q; echo "$p"; }; done
case $- in *e*) echo e;; *) echo no e;; esac; set -e; case $- in *e*) echo e;; esac; set +e
set -uf; echo $- | { read x; case $x in *f*) echo f;; esac; }; set +uf
set -- a; set -u; echo ${1} ${2-unset} "$@" $#; (: $2) 2>/dev/null; echo $?
