/** Scripts whose output and errors the real busybox has said (`busybox-said.json`, recorded by `record.ts`). Each runs in an empty folder. */
import { languageCases } from './language-cases.ts';
import { toolCases } from './tool-cases.ts';

export interface ShellCase {
  readonly name: string;
  readonly script: string;
}

const wordCases: readonly ShellCase[] = [
  { name: 'arguments of a function', script: 'f() { echo "$# $1 $2 $*"; }; f a "b c"; f' },
  { name: 'arguments of a function are its own', script: 'set -- x y; f() { echo "in $1"; }; f a; echo "out $1 $2"' },
  { name: 'functions that call functions', script: 'g() { echo "g $1"; return 3; }; f() { g "$1$1"; echo "$? $1"; }; f a' },
  {
    name: 'return and its status',
    script: 'f() { return 3; echo never; }; f; echo $?; g() { false; return; }; g; echo $?; h() { true; }; h; echo $?',
  },
  {
    name: 'return out of loops',
    script: 'f() { for i in 1 2 3; do for j in a b; do [ $i$j = 2a ] && return 7; echo $i$j; done; done; }; for k in x y; do f; echo $k $?; done',
  },
  { name: 'local variables', script: 'a=1 b=2; f() { local a b=3 c; a=9; c=5; echo "$a $b $c"; }; f; echo "$a $b $c."' },
  {
    name: 'a local variable keeps its value at first',
    script: 'a=1; f() { local a; echo "$a"; a=2; g; echo "$a"; }; g() { echo "g $a"; a=3; }; f; echo "$a"',
  },
  { name: 'recursion', script: 'f() { local n=$1; [ $n -le 1 ] && { echo 1; return; }; echo $((n * $(f $((n - 1))))); }; f 6' },
  { name: 'functions in substitutions and pipelines', script: 'f() { echo "$1-$1"; }; x=$(f a); echo "$x"; f b | cat; echo $(f c; f d)' },
  { name: 'a function defined by a function', script: 'f() { g() { echo "g $1"; }; }; f; g 1' },
  { name: 'shift', script: 'set -- a b c d; shift; echo "$@"; shift 2; echo "$# $1"; f() { shift; echo "$1"; }; f x y; echo "$1"' },
  { name: 'set gives arguments', script: 'set -- "a b" c; for x; do echo "[$x]"; done; set x y; echo $#; set --; echo $#' },
  {
    name: 'all arguments, quoted and not',
    script: 'f() { echo $#; }; set -- "a b" "" c; f "$@"; f $@; f "$*"; f $*; f x"$@"y; for a in x"$@"y; do echo "[$a]"; done',
  },
  { name: 'no arguments at all', script: 'f() { echo $#; }; set --; f "$@"; f "$*"; f x"$@"' },
  { name: 'IFS of a colon', script: 'IFS=:; x=a:b::c:; for p in $x; do echo "[$p]"; done; for p in "$x"; do echo "[$p]"; done' },
  { name: 'IFS with blanks around', script: 'IFS=" :"; x=" a : b:  c :: d "; for p in $x; do echo "[$p]"; done' },
  { name: 'IFS that begins a word', script: 'IFS=,; x=,a,,b; for p in $x; do echo "[$p]"; done; y=,; for p in $y; do echo "<$p>"; done' },
  {
    name: 'IFS that is empty, and that is not there',
    script: 'x="a b"; IFS=; for p in $x; do echo "[$p]"; done; unset IFS; for p in $x; do echo "[$p]"; done',
  },
  { name: 'IFS joins', script: 'set -- a b c; IFS=-; echo "$*"; echo "$@"; IFS=; echo "$*"; IFS=", "; echo "$*"' },
  { name: 'IFS and what stands beside', script: 'IFS=:; x=b:c; for p in a$x"d e"; do echo "[$p]"; done; x=:; for p in a${x}b; do echo "[$p]"; done' },
  { name: 'IFS splits expansions alone', script: 'IFS=b; for p in abc $(echo xby); do echo "[$p]"; done' },
  {
    name: 'read into names',
    script:
      'echo "  one two  three four " | { read a b c; echo "[$a][$b][$c]"; }; echo "x" | { read a b; echo "[$a][$b]"; }; echo "  y z " | { read a; echo "[$a]"; }',
  },
  {
    name: 'read with a separator',
    script:
      'echo "a:b:c:d" | { IFS=: read x y z; echo "[$x][$y][$z]"; }; echo "a:b:" | { IFS=: read x y; echo "[$x][$y]"; }; echo "root:x:0" | while IFS=: read n p i; do echo "$n $i"; done',
  },
  { name: 'paths', script: 'mkdir d; touch a.txt b.txt c.log d/x d/y .hidden; echo *; echo *.txt; echo ?.log; echo d/*; echo */x; echo *.none' },
  {
    name: 'paths by brackets',
    script: 'touch a1 b2 c3 B4 ./-x; echo [ab]*; echo [!ab]*; echo [a-c]?; echo [[:upper:]]*; echo *[0-9]; echo [z]*; echo []x]*',
  },
  { name: 'paths that are quoted', script: 'touch a b; echo "*" \'*\' \\*; x="*"; echo "$x"; echo $x; echo a"*"; echo "a"*' },
  { name: 'hidden paths', script: 'touch .a .b c; echo .[a-z]; echo *; echo .*a' },
  {
    name: 'paths in loops and arguments',
    script: 'touch 1.txt 2.txt; for f in *.txt; do echo "<$f>"; done; for f in *.md; do echo "<$f>"; done; set -- *.txt; echo $#',
  },
  {
    name: 'paths of an expansion',
    script: 'touch a.c b.c; p="*.c"; for f in $p; do echo $f; done; for f in "$p"; do echo $f; done; y=*.c; echo "$y"',
  },
  { name: 'paths from the root of a folder', script: 'mkdir -p t/u; touch t/u/1 t/u/2; cd t; echo u/*; echo ./u/?; cd u; echo ../*' },
  {
    name: 'patterns of case',
    script:
      'f() { case "$1" in [0-9]) echo digit;; [!a-z]*) echo other;; "*") echo star;; a\\*) echo escaped;; ?b|cd) echo two;; *) echo "any";; esac; }; for x in 5 Z "*" "a*" ab cd zzz; do f "$x"; done',
  },
  {
    name: 'patterns of case from variables',
    script: 'p="a*"; case abc in $p) echo yes;; *) echo no;; esac; case abc in "$p") echo yes;; *) echo no;; esac',
  },
  {
    name: 'patterns that strip',
    script: 'x=/usr/lib/a.tar.gz; echo ${x##*/} ${x%/*} ${x%%.*} ${x#*.} ${x%.[a-z]*}; y="a*b"; echo ${y#"a*"} ${y%\\*b} "${y%[!x]}"',
  },
  { name: 'arguments by number', script: 'set -- 1 2 3 4 5 6 7 8 9 ten; echo $10 ${10} ${11:-none}' },
  { name: 'what is not defined', script: 'f() { echo f; }; unset -f f; f() { echo g; }; f' },
];

export const shellCases: readonly ShellCase[] = [...wordCases, ...languageCases, ...toolCases];
