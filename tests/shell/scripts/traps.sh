# trap, kill, and exit.
trap 'echo got USR1' USR1; kill -USR1 $$; echo after
trap '' USR2; kill -USR2 $$; echo ignored
trap - USR1; (trap 'echo sub exit' EXIT; echo in sub)
(kill -KILL $$_ 2>/dev/null; exit 2); echo $?
trap 'echo hup' 1; kill -HUP $$; kill -1 $$; trap 1
f() { trap 'echo from function' INT; }; f; kill -INT $$; trap '' INT
trap 'echo status $?; false' USR1; (exit 3); kill -USR1 $$; echo $?
for i in 1 2; do kill -USR1 $$; echo $i; done
trap 'echo exiting $?' 0
(exit 5)

(trap 'echo trapped; exit' EXIT; (exit 1)); echo $?
(trap 'echo lower' term; kill -KILL $$_ 2>/dev/null); trap - int; trap 'echo name' Usr2; kill -USR2 $$
