# What ends a shell, and with what.
(exit 300); echo $?
(: ${x?message}) 2>/dev/null; echo $?
(eval 'if') 2>/dev/null; echo $?
(eval 'echo "unclosed') 2>/dev/null; echo $?
(eval 'for 1 in a; do :; done') 2>/dev/null; echo $?
(eval 'case x in') 2>/dev/null; echo $?
(eval ')') 2>/dev/null; echo $?
(eval 'a && && b') 2>/dev/null; echo $?
(echo $((1/0))) 2>/dev/null; echo $?
(echo $((1+))) 2>/dev/null; echo $?
(. ./nosuchfile; echo never) 2>/dev/null; echo $?
(readonly a=1; a=2; echo never) 2>/dev/null; echo $?
(shift 5; echo never) 2>/dev/null; echo $?
(exec ./nosuch; echo never) 2>/dev/null; echo $?
(exec < nosuch; echo never) 2>/dev/null; echo $?
(echo < nosuch; echo reached) 2>/dev/null; echo $?
(: < nosuch; echo never) 2>/dev/null; echo $?
echo text > notaprogram; (./notaprogram) 2>/dev/null; echo $?
(set -o nosuch; echo never) 2>/dev/null; echo $?
(unset -v; export 1a=2; echo never) 2>/dev/null; echo $?
(echo ${x!y}) 2>/dev/null; echo $?
(return 3; echo not here); echo $?
nosuch_at_end
