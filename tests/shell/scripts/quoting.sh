# Quotes, backslashes and comments.
echo 'a  b' "c  d" e\ \ f "g\"h" 'i\j' "k\\l" "m\n" 'n"o' "p'q"
echo a'b'"c"d "" '' | { read -r line; echo "<$line>"; }
echo "$(echo "nested $(echo "deep  er")")" `echo "x\`echo y\`z"`
echo a\
b "c\
d" 'e\
f'
echo foo#bar #comment
: # nothing
x='a$b`c"d'; echo "$x"
echo "\$x \`y\` \z"
echo $'a' "$" $ "a$" a$
printf '<%s>\n' "a b" c\ d '' "$@"
printf '<%s>\n' ''"" x""y
