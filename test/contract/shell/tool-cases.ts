/** Tools of small images, with what users' manifests and `kubectl exec` ask of them. */
import type { ShellCase } from './cases.ts';

export const toolCases: readonly ShellCase[] = [
  {
    name: 'tr',
    script:
      "echo abc | tr a-c A-C; echo hello | tr -d l; echo aabbcc | tr -s a-c; echo 'a b  c' | tr -s ' ' '\\n'; echo a1b2 | tr -cd '0-9\\n'; echo Hi | tr '[:upper:][:lower:]' '[:lower:][:upper:]'",
  },
  {
    name: 'tr with complements',
    script:
      "echo a1b2 | tr -c '0-9\\n' x; echo abc | tr abc x; echo a,b | tr , '\\t'; printf 'a\\nb\\n' | tr '\\n' ,; echo; echo aXXb | tr -s X; echo abc | tr -ds ab c",
  },
  {
    name: 'cut',
    script:
      "echo 'a b c' | cut -d' ' -f2; echo a:b:c:d | cut -d: -f1,3-; echo abcdef | cut -c2-4; echo abcdef | cut -b-2; echo none | cut -d: -f2; echo none | cut -s -d: -f2; printf 'x\\ty\\n' | cut -f2",
  },
  {
    name: 'cut of what is no list',
    script: 'echo a | cut -f 2>&1 | head -n 1; echo a | cut 2>&1 | head -n 1; echo abc | cut -c5; echo a:b:c | cut -d: -f3,1',
  },
  {
    name: 'sort',
    script:
      "printf 'b\\na\\nc\\na\\n' | sort; printf 'b\\na\\nb\\n' | sort -u; printf '10\\n9\\n-1\\n' | sort -n; printf '10\\n9\\n' | sort -rn; printf 'B\\na\\nC\\n' | sort; printf 'B\\na\\nC\\n' | sort -f",
  },
  {
    name: 'sort by columns',
    script:
      "printf 'x 3\\ny 1\\nz 2\\n' | sort -k2; printf 'x:10\\ny:9\\nz:100\\n' | sort -t: -k2n; printf 'a 2 x\\nb 1 y\\nc 1 x\\n' | sort -k2,2n -k3,3; printf 'a,2\\nb,1\\n' | sort -t , -k 2 -r",
  },
  {
    name: 'sort of files',
    script:
      "printf 'b\\na\\n' > f; printf 'd\\nc\\n' > g; sort f g; sort -o h f; cat h; sort -c f; echo $?; sort nofile; echo $?; sort -Q 2>&1 | head -n 1",
  },
  {
    name: 'sort with empty lines',
    script: "printf 'b\\n\\na\\n\\n' | sort; printf '' | sort; printf 'x' | sort; printf '1.5\\n1.10\\n' | sort -n; printf '1e3\\n200\\n' | sort -g",
  },
  {
    name: 'uniq',
    script:
      "printf 'a\\na\\nb\\na\\n' | uniq; printf 'a\\na\\nb\\n' | uniq -c; printf 'a\\na\\nb\\n' | uniq -d; printf 'a\\na\\nb\\n' | uniq -u; printf 'A\\na\\n' | uniq -i",
  },
  { name: 'how often', script: "printf 'x\\ny\\nx\\nz\\nx\\ny\\n' | sort | uniq -c | sort -rn | head -n 2" },
  {
    name: 'head',
    script:
      "seq 20 | head; seq 5 | head -n 2; seq 5 | head -2; seq 5 | head -n -2; printf abcdef | head -c 3; echo; printf 'no end' | head -n 1; echo; head -n x < /dev/null",
  },
  { name: 'head of files', script: 'seq 3 > a; seq 4 6 > b; head -n 1 a b; head -q -n 1 a b; head nofile; echo $?; head -n 0 a; head -n 1 -v a' },
  { name: 'head leaves the rest', script: 'seq 5 > f; { head -n 2; echo --; cat; } < f' },
  {
    name: 'tail',
    script:
      "seq 20 | tail; seq 5 | tail -n 2; seq 5 | tail -2; seq 5 | tail -n +3; printf abcdef | tail -c 2; echo; printf abcdef | tail -c +3; echo; printf 'a\\nb' | tail -n 1; echo",
  },
  { name: 'tail of files', script: 'seq 3 > a; seq 4 6 > b; tail -n 1 a b; tail -q -n 1 a b; tail nofile; echo $?' },
  {
    name: 'wc',
    script:
      "printf 'a b\\nc\\n' > f; wc f; wc -l f; wc -w < f; wc -c < f; wc -lw f; printf 'x' | wc -l; wc f f; wc nofile; echo $?; printf 'abc\\nlonger\\n' | wc -L",
  },
  {
    name: 'cat',
    script:
      "echo a > f; echo b > g; cat f g; cat f - g < g; cat -n f g; cat nofile; echo $?; cat f nofile g 2>/dev/null; echo $?; printf 'a\\n\\nb' | cat -b; echo; cat -Q 2>&1 | head -n 1",
  },
  { name: 'tac and rev', script: "seq 3 | tac; echo abc | rev; printf 'a\\nb' | tac; echo" },
  { name: 'nl', script: "printf 'a\\n\\nb\\n' | nl; printf 'a\\n\\nb\\n' | nl -b a" },
  { name: 'tee', script: 'echo a | tee f g; cat f g; echo b | tee -a f >/dev/null; cat f; mkdir d; echo c | tee d; echo $?' },
  {
    name: 'grep',
    script:
      "printf 'abc\\nxyz\\nabd\\n' > f; grep ab f; grep -v ab f; grep -c ab f; grep -n xyz f; grep -q ab f; echo $?; grep -q none f; echo $?; grep -i ABC f; grep none f; echo $?",
  },
  {
    name: 'grep for expressions',
    script:
      "printf 'a1\\nb22\\nc\\na.b\\n' > f; grep '[0-9]' f; grep '^a' f; grep '[0-9]$' f; grep 'a\\.b' f; grep -F a.b f; grep -E '[0-9]+|c' f; grep '2\\{2\\}' f; grep -E '(a|b)[12]' f; grep 'a\\|c' f",
  },
  {
    name: 'grep for parts',
    script: "echo 'x=1 y=22' | grep -o '[0-9]*'; echo 'x=1 y=22' | grep -oE '[a-z]=[0-9]+'; echo abcabc | grep -o b; echo abcd | grep -oE 'a|ab|abc'",
  },
  {
    name: 'grep for words and lines',
    script:
      "printf 'foo\\nfoobar\\na foo b\\n' > f; grep -w foo f; grep -x foo f; grep -wc foo f; grep -xF foo f; grep -e bar -e b f; printf 'foo\\n' > p; grep -f p f | wc -l",
  },
  {
    name: 'grep in files',
    script:
      'echo a > f; echo a > g; grep a f g; grep -h a f g; grep -l a f g; grep -L a f g; echo $?; grep -H a f; mkdir d; cp f d; grep -r a d; grep a nofile; echo $?; grep -s a nofile; echo $?',
  },
  { name: 'grep around', script: 'seq 9 > f; grep -A 1 4 f; grep -B 1 4 f; grep -C 1 -n 5 f; grep -m 1 . f; grep -A 1 "[28]" f' },
  {
    name: 'grep that is wrong',
    script: "echo a | grep -Q a 2>&1 | head -n 1; echo 'a*b' | grep 'a*b'; echo 'a*b' | grep 'a\\*b'; echo '' | grep -c ''; printf 'a\\nb' | grep b",
  },
  {
    name: 'egrep and fgrep',
    script:
      "echo 'a+b' | fgrep 'a+b'; echo aab | egrep 'a+b'; echo 'a{2}' | grep 'a{2}'; echo aa | grep -E 'a{2}'; echo ab | grep -E '^(a|b)+$'; echo tab | grep -E '\\bta'",
  },
  {
    name: 'sed',
    script:
      "echo hello | sed s/l/L/; echo hello | sed 's/l/L/g'; echo hello | sed 's/l/L/2'; echo a/b | sed 's|/|-|'; echo abc | sed 's/b/[&]/'; echo hello | sed 's/L/x/I'; echo abc | sed -e s/a/1/ -e s/b/2/",
  },
  {
    name: 'sed with groups',
    script:
      "echo 'john smith' | sed 's/\\(.*\\) \\(.*\\)/\\2 \\1/'; echo k=v | sed -E 's/(.*)=(.*)/\\2=\\1/'; echo aaa | sed -r 's/a{2}/b/'; echo 'a b' | sed 's/ /\\n/'; echo abc | sed 's/x*/-/g'; echo baaac | sed 's/a*/x/g'",
  },
  {
    name: 'sed with addresses',
    script:
      "seq 5 > f; sed -n 2p f; sed -n 2,3p f; sed 2d f; sed '2,4d' f; sed -n '$p' f; sed '/3/d' f; sed -n '/2/,/4/p' f; sed '2!d' f; sed -n '2,+1p' f; sed '$!d' f; sed -n '1~2p' f",
  },
  {
    name: 'sed that stops',
    script: "seq 5 | sed 2q; seq 5 | sed -n '2{p;q}'; seq 5 | sed '3q7' >/dev/null; echo $?; seq 3 | sed -n '='; seq 3 | sed -n '$='",
  },
  {
    name: 'sed that adds',
    script: "seq 2 | sed 'a x'; seq 2 | sed '1i\\\nx'; seq 3 | sed '2c y'; seq 2 | sed '1a\\  z'; echo a | sed 'y/abc/xyz/'; seq 2 | sed '/1/a one'",
  },
  {
    name: 'sed with two spaces',
    script:
      "seq 4 | sed 'N;s/\\n/-/'; seq 3 | sed -n 'H;${x;s/\\n/,/g;p}'; seq 3 | sed '1!G;h;$!d'; seq 2 | sed G; seq 4 | sed -n 'n;p'; printf 'a\\nb\\n' | sed ':a;N;$!ba;s/\\n/ /g'",
  },
  {
    name: 'sed with jumps',
    script: "echo aaa | sed ':x;s/a/b/;tx'; seq 3 | sed '/2/b;s/$/!/'; seq 3 | sed -n '/2/{s/2/two/;p}'; seq 3 | sed '2{s/2/x/\ns/x/y/\n}'",
  },
  {
    name: 'sed in files',
    script:
      "echo a > f; sed -i s/a/b/ f; cat f; sed -i -e '$a\\' f; cat f; sed -i '1i first' f; cat f; sed s/x/y/ nofile; echo $?; printf 'no end' | sed s/n/N/; echo",
  },
  {
    name: 'sed with what it does not know',
    script:
      "echo a | sed 'k' >/dev/null 2>&1; echo $?; echo a | sed 's/a' >/dev/null 2>&1; echo $?; echo a | sed '{p' >/dev/null 2>&1; echo $?; echo a | sed -Q 2>&1 | head -n 1",
  },
  {
    name: 'sed prints',
    script:
      "echo ab | sed -n 's/a/x/p'; echo ab | sed -n 's/z/x/p'; echo ab | sed p; printf 'k: v\\n' | sed -n 's/^k: *//p'; echo 'a.b' | sed 's/\\./-/g'; echo '$x' | sed 's/\\$x/y/'; echo a | sed 's/a/\\//'",
  },
  {
    name: 'basename and dirname',
    script:
      'basename /a/b.c .c; basename /a/b/; basename a; basename /; dirname /a/b.c; dirname a; dirname /a; dirname a/b/; dirname /; basename .c .c',
  },
  {
    name: 'mkdir and rmdir',
    script:
      'mkdir a; mkdir a; echo $?; mkdir b/c; echo $?; mkdir -p b/c/d; ls b; rmdir b; echo $?; rmdir b/c/d; ls b/c; rmdir nowhere; echo $?; mkdir -p a; echo $?; mkdir x y; ls',
  },
  {
    name: 'rm',
    script:
      'touch a b; rm a; ls; mkdir -p d/e; touch d/f; rm d; echo $?; rm -r d; ls; rm nofile; echo $?; rm -f nofile; echo $?; rm -rf a b; ls; rm -Q 2>&1 | head -n 1',
  },
  {
    name: 'cp',
    script:
      'echo 1 > a; cp a b; cat b; mkdir d; cp a b d; ls d; cp -r d e; ls e; cp d f; echo $?; cp nofile x; echo $?; cp a b nodir 2>/dev/null; echo $?',
  },
  { name: 'mv', script: 'echo 1 > a; mv a b; ls; mkdir d; mv b d; ls d; mv d e; ls e; mv nofile x; echo $?; echo 2 > c; mv c e/b; cat e/b' },
  { name: 'touch', script: 'touch a b; ls; touch -c c; ls; echo x > a; touch a; cat a; mkdir d; touch d; ls' },
  {
    name: 'ls',
    script: 'touch b a .h; mkdir d; ls; ls -1; ls -a; ls -A; ls -d d; ls d; ls a b; ls nowhere; echo $?; ls -r; ls -F; touch d/x; ls d a; ls -R',
  },
  {
    name: 'find',
    script:
      'mkdir -p d/e; touch d/a.txt d/e/b.txt d/c; find d | sort; find d -name "*.txt" | sort; find d -type d | sort; find d -type f -name "c"; find d -maxdepth 1 | sort; find nowhere; echo $?',
  },
  {
    name: 'find with more',
    script:
      'mkdir d; touch d/a d/b; find d -name a -o -name b | sort; find d ! -name a -type f; find d -type f -exec echo {} \\; | sort; find d -empty | sort; find d -path "*/b"',
  },
  {
    name: 'readlink and realpath',
    script: 'touch a; readlink a; echo $?; readlink -f a; realpath a; mkdir d; realpath d/../a; readlink -f d/nofile; which nosuch; echo $?',
  },
  {
    name: 'xargs',
    script:
      "printf 'a\\nb c\\n' | xargs echo; printf 'a b c' | xargs -n 2 echo x; printf 'a\\nb\\n' | xargs -I {} echo '<{}>'; printf '' | xargs echo none; printf '' | xargs -r echo none; echo \"'a b' c\" | xargs -n 1",
  },
  {
    name: 'xargs and what fails',
    script:
      'echo a | xargs false; echo $?; echo a | xargs nosuchcommand 2>/dev/null; echo $?; touch x y; ls | xargs rm; ls; printf "a\\0b\\0" | xargs -0 -n 1 echo; echo 1 2 | xargs -t echo',
  },
  {
    name: 'env',
    script:
      'env -i A=1 env; A=2 env | grep ^A=; env -i sh -c "echo [\\$HOME]"; env -u HOME sh -c "echo [\\$HOME]"; env nosuch; echo $?; env A=1 B=2 sh -c \'echo $A$B\'; env -Q 2>&1 | head -n 1',
  },
  { name: 'seq', script: 'seq 3; seq 2 4; seq 1 2 6; seq 3 -1 1; seq -w 8 11; seq -s , 3; seq 0.5 0.5 1.5; seq 3 1; seq -w 1 5 20' },
  {
    name: 'expr',
    script:
      "expr 3 + 4; expr 2 '*' 3; expr 7 / 2; expr 7 % 3; expr 1 = 1; expr a = b; echo $?; expr length hello; expr abc : 'a\\(.\\)c'; expr abc : 'a.'; expr substr hello 2 3; expr 1 '|' 0; expr 0 '&' 1; expr '(' 1 + 2 ')' '*' 3; expr index hello l",
  },
  {
    name: 'expr that is wrong',
    script:
      'expr; echo $?; expr 1 + >/dev/null 2>&1; echo $?; expr a + 1 >/dev/null 2>&1; echo $?; expr 1 / 0 >/dev/null 2>&1; echo $?; expr 0; echo $?; expr 5 - 5; echo $?; expr b \\> a',
  },
  {
    name: 'base64',
    script:
      "echo hello | base64; echo aGVsbG8K | base64 -d; printf 'a long text that has to be broken into more than one line of output, is it' | base64; printf abc | base64 -w 0; echo; printf '' | base64",
  },
  {
    name: 'digests',
    script:
      "printf abc | md5sum; printf abc | sha256sum; echo x > f; md5sum f; sha256sum < f; printf '' | md5sum; seq 100 | sha256sum; seq 1000 | md5sum; md5sum nofile; echo $?",
  },
  {
    name: 'date',
    script:
      "date -u -d @0 '+%Y-%m-%d %H:%M:%S'; date -u -d @86399 +%T; date -u -d '2024-02-29 12:30' +%j,%a,%A,%b,%B,%y,%u,%w; date -u -d @1e3 2>&1 | wc -l; date -u -d @1700000000 '+%s %F %D %R %I %p %e %h %n%t%%'; date -u -d @0",
  },
  { name: 'true, false and yes', script: 'true; echo $?; false; echo $?; yes | head -n 2; yes no | head -n 1' },
  {
    name: 'awk by columns',
    script: "echo 'a b c' | awk '{print $2}'; echo a:b | awk -F: '{print $2, $1}'; printf '1 2\\n3 4\\n' | awk '{print $NF, NF}'",
  },
  { name: 'timeout', script: 'timeout 5 echo a; timeout 5 sh -c "exit 3"; echo $?; timeout x echo 2>&1 | wc -l' },
  { name: 'hexdump', script: "printf 'abc\\n' | hexdump -C; printf abcd | hexdump; printf abcdef | hexdump -n 3 -C" },
  { name: 'sleep that is wrong', script: 'sleep x; echo $?; sleep 0; echo $?' },
  { name: 'who', script: 'id -u; whoami; id -un; id -g' },
  {
    name: 'a script that waits until something answers',
    script: 'n=0; until [ $n -ge 3 ] || ! true; do n=$((n+1)); echo "try $n"; done; [ $n -eq 3 ] && echo ready',
  },
  {
    name: 'a script that makes a configuration',
    script:
      "cat > conf <<EOF\nhost=$(echo db)\nport=${PORT:-5432}\nEOF\nsed -i 's/^port=.*/port=1/' conf; grep -q '^host=db$' conf && echo good; cut -d= -f2 conf | tr '\\n' ' '; echo",
  },
  {
    name: 'a script that counts',
    script: "for f in a b a c a; do echo $f; done | sort | uniq -c | sort -k1,1nr -k2 | while read n w; do printf '%-3s%d\\n' $w $n; done",
  },
  {
    name: 'a script with functions',
    script:
      'die() { echo "error: $*" >&2; exit 1; }; need() { command -v "$1" >/dev/null 2>&1 || die "$1 is missing"; }; need sh; (need nosuchtool); echo $?',
  },
  {
    name: 'a script with options',
    script:
      'parse() { while [ $# -gt 0 ]; do case $1 in -n|--name) name=$2; shift 2;; -v) v=1; shift;; --) shift; break;; *) break;; esac; done; echo "$name $v $*"; }; parse -v --name x -- a b',
  },
];
