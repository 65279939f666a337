/** Scripts that would take a machine apart: what they cost here is bounded, and they end as they would end there. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { busyboxImage } from '../images/shells.ts';
import { logBytesMax, shellFileBytesMax } from '../physics.ts';
import { appendLog, type LogLine } from './log-buffer.ts';
import { advanceProgram, type Program, programEndReason, programWakeMs, startProgram, type ProgramHost } from './program.ts';
import { runCommand } from './shell.ts';

interface Outcome {
  readonly lines: readonly string[];
  readonly exitCode: number | undefined;
  readonly reason: string;
  readonly wakes: number;
  readonly files: Readonly<Record<string, string>>;
  readonly program: Program;
}

const startMs = Date.parse('2026-01-01T00:00:00Z');

function makeHost(nowMs: number, files: Record<string, string>, lines: string[]): ProgramHost {
  return {
    nowMs,
    hostname: 'pod',
    definition: busyboxImage,
    env: () => ({ GREETING: 'hello' }),
    readFile: () => undefined,
    files,
    log: (text) => void lines.push(text),
  };
}

/** Runs a script for a virtual minute. */
function run(script: string): Outcome {
  const lines: string[] = [];
  const files: Record<string, string> = {};
  let nowMs = startMs;
  const { program } = startProgram(['sh', '-c', script], makeHost(nowMs, files, lines));
  if (program === undefined) throw new Error('no program');
  for (let wakes = 1; ; wakes++) {
    const exitCode = advanceProgram(program, makeHost(nowMs, files, lines));
    const wake = programWakeMs(program);
    if (exitCode !== undefined || wake === undefined || wake > startMs + 60_000)
      return { lines, exitCode, reason: programEndReason(program), wakes, files, program };
    expect(wake).toBeGreaterThan(nowMs);
    nowMs = wake;
  }
}

describe('a process of the simulated shell', () => {
  it.each([
    ['a text that doubles', 'x=ab; while true; do x=$x$x; done'],
    ['a width without end', 'printf "%999999999s" a'],
    ['a format repeated over widths', 'printf "%3000000s" a b c d'],
    ['many variables', 'i=0; x=$(printf "%99999s" a); while true; do i=$((i+1)); export "v$i=$x"; done'],
    ['arguments that grow from call to call', 'f() { f "$1$1" "$@"; }; f ab'],
    ['local variables of calls', 'x=$(printf "%999999s" a); f() { local x="$x"; f; }; f'],
    ['a subshell in a subshell, with all that it holds', 'x=$(printf "%99999s" a); f() { (f); }; f'],
    ['documents of blocks', 'x=$(printf "%999999s" a); f() { { f; } <<E\n$x\nE\n}; f'],
    ['a space that grows', 'seq 9999 | sed ":x;G;h;bx"'],
    ['numbers without end', 'seq 999999999'],
    ['a precision', 'printf "%.99999999d" 1'],
    ['words of a list', 'x=$(printf "%2000000s" a); for y in "$x" "$x" "$x"; do echo; done'],
  ])('is killed for its memory: %s', (_name, script) => {
    expect(run(script)).toMatchObject({ exitCode: 137, reason: 'OOMKilled' });
  });

  it.each([
    ['a function', 'f() { f; }; f'],
    ['two functions', 'f() { g; }; g() { f; echo; }; f'],
    ['a script that reads itself', 'x=\'eval "$x"; :\'; eval "$x"'],
    ['a shell that starts itself', 'export x=\'sh -c "$x"; :\'; sh -c "$x"'],
    ['an expression that leads to itself', 'x=x+1; echo $((x))'],
  ])('overflows its stack when it calls itself for ever: %s', (_name, script) => {
    expect(run(script)).toMatchObject({ exitCode: 139 });
  });

  it.each([
    ['a pipeline whose first stage never ends', 'x=$(printf "%999999s" a); while true; do echo $x$x; done | cat | wc -c'],
    ['an endless loop inside of a substitution', 'echo $(while true; do :; done)'],
    ['an editing script that jumps for ever', 'echo a | sed ":x;bx"'],
    ['a line that grows', 'echo ab | sed ":x;s/.*/&&/;bx"'],
    ['a replacement of everything', 'x=$(printf "%99999s" a); y=${x// /$x}'],
    ['an expression that is looked for again and again', 'x=$(printf "%99999s" | tr " " a); echo "$x" | sed -E "s/(a|b|c)*d|a/x/g"'],
    [
      'brackets that never end',
      'x="[[[[[[[["; for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do x=$x$x; done; while true; do case "$x" in $x) y=$(echo $x);; esac; y=$(echo *$x); done | cat',
    ],
    ['patterns that look at everything many times', 'x=$(printf "%99999s" a); echo "${x##*b*c*d*}"'],
  ])('hangs where it never ends: %s', (_name, script) => {
    const { exitCode, program } = run(script);
    expect(exitCode).toBeUndefined();
    expect(programWakeMs(program)).toBeUndefined();
  });

  it('is woken a hundred times a second at most, however short it sleeps', () => {
    expect(run('while true; do sleep 0.0000001; done').wakes).toBeLessThanOrEqual(6_001);
    expect(run('while true; do sleep 0; done').wakes).toBeLessThanOrEqual(61);
    expect(run('while true; do echo a; done').lines.length).toBeLessThanOrEqual(60_000);
  });

  it('passes on long lines in parts and keeps no more of its log than a node keeps', () => {
    const { lines } = run('x=$(printf "%99999s" a); echo "$x"; printf "%s%s" "$x" "$x"');
    expect(lines.every((line) => line.length <= 16_384)).toBe(true);
    expect(lines.join('').length).toBe(299_997);
    let kept: LogLine[] = [];
    for (let i = 0; i < 1_000; i++) kept = appendLog(kept, { atMs: i, text: 'x'.repeat(16_384) });
    expect(kept.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(2 * logBytesMax);
    expect(kept.at(-1)?.atMs).toBe(999);
  });

  it('finds its disk full', () => {
    const { files, lines } = run('x=$(printf "%99999s" a); i=0; while [ $i -lt 200 ]; do echo "$x" >> /f; touch /g$i; i=$((i+1)); done');
    expect(Object.values(files).reduce((sum, text) => sum + text.length, 0)).toBeLessThanOrEqual(shellFileBytesMax);
    expect(lines).toContain('sh: write error: No space left on device');
  });

  it.each([
    ['parentheses', '('.repeat(50_000)],
    ['substitutions', '$('.repeat(50_000)],
    ['braces', '{ '.repeat(50_000)],
    ['conditions', 'if '.repeat(50_000)],
    ['negations', '! '.repeat(50_000)],
    ['a sum', `echo $((${'1+'.repeat(50_000)}1))`],
    ['assignments', `echo $((${'a='.repeat(50_000)}1))`],
    ['signs', `echo $((${'-'.repeat(50_000)}1))`],
    ['choices', `echo $((${'1?1:'.repeat(20_000)}1))`],
    ['defaults', `echo ${'${a:-'.repeat(20_000)}b${'}'.repeat(20_000)}`],
    ['a script of a megabyte', 'echo a; '.repeat(130_000)],
  ])('refuses scripts that no parser should walk: %s', (_name, script) => {
    expect(run(script).exitCode).toBe(2);
  });

  it('takes names of what every object inherits for what they are', () => {
    expect(run('echo "[$constructor$__proto__$toString]"; constructor=1; __proto__=2; echo $constructor $__proto__').lines).toEqual(['[]', '1 2']);
    expect(run('constructor; echo $?; toString() { echo f; }; toString; __proto__() { echo p; }; __proto__').lines).toEqual([
      'sh: constructor: not found',
      '127',
      'f',
      'p',
    ]);
    const { lines } = run('unset constructor; printenv toString; echo $?');
    expect(lines).toEqual(['1']);
  });

  it('goes once through a text, whatever an expression says', () => {
    const script =
      'x=$(printf "%9999s" | tr " " a); echo "$x" | grep -E "(a*)*(a|a?)*(a*a*)*b"; echo $?; echo "$x" | grep -cE "(a*)*(a|a?)*(a*a*)*$"';
    expect(run(script)).toMatchObject({ lines: ['1', '1'], exitCode: 0 });
  });

  it('calculates in 64 bits and tests long lists of words', () => {
    expect(run('echo $((2**62)) $((2**64)) $((9999999999999999999999*9))').lines[0]).toMatch(/^4611686018427387904 0 -?\d+$/);
    expect(run('echo $((1 << 40)) $((~0 & 255)) $((-1 >> 1)); echo $((1/0)); echo never')).toMatchObject({
      lines: ['1099511627776 255 -1', 'sh: divide by zero'],
      exitCode: 2,
    });
    expect(run(`test ${'a -a '.repeat(2_000)}a && echo yes; test ${'! '.repeat(15)}a || echo no`).lines).toEqual(['yes', 'no']);
  });

  it('ends or waits, whatever it is told', () => {
    const word = fc.constantFrom(
      'a',
      '$x',
      '"$x$x"',
      '$((x*x+1))',
      '$(echo $x)',
      '${x#*a}',
      '${x:-b}',
      '*',
      '?',
      '%999999999s',
      '-1',
      '1e9',
      'constructor',
      '__proto__',
    );
    const simple = fc.tuple(
      fc.constantFrom(
        'echo',
        'printf',
        'x=$x$x;',
        'sleep',
        'test',
        'f',
        'cat',
        'seq',
        'expr',
        'export',
        'read',
        'grep',
        'touch',
        'rm -f',
        'head -n',
        'wait',
        'exit',
        'sed',
        'tr a',
        'cut -c',
        'sort -k',
        'uniq -c',
        'find .',
        'xargs',
        'eval',
        'sh -c',
        'trap',
        'set',
        'mkdir -p',
        'local',
        'getopts',
        'kill',
        'env',
        'cd',
        'exec',
        'let',
        'tee',
      ),
      fc.array(word, { maxLength: 4 }),
    );
    const { command } = fc.letrec<{ command: string }>((tie) => ({
      command: fc.oneof(
        { depthSize: 'small', maxDepth: 4 },
        simple.map(([name, words]) => `${name} ${words.join(' ')}`),
        fc.tuple(tie('command'), tie('command')).map(([a, b]) => `${a}; ${b}`),
        fc.tuple(tie('command'), tie('command')).map(([a, b]) => `${a} | ${b}`),
        tie('command').map((a) => `while true; do ${a}; done`),
        tie('command').map((a) => `for x in $x a b; do ${a}; done`),
        tie('command').map((a) => `f() { ${a}; }; f`),
        tie('command').map((a) => `x=$(${a})`),
        tie('command').map((a) => `${a} >> /log`),
        tie('command').map((a) => `(${a}) &`),
        tie('command').map((a) => `(${a})`),
        tie('command').map((a) => `{ ${a}; } < /log`),
        tie('command').map((a) => `trap '${a.replaceAll("'", '')}' EXIT TERM`),
        tie('command').map((a) => `if ${a}; then ${a}; fi`),
      ),
    }));
    fc.assert(
      fc.property(command, (script) => {
        const { program } = run(script);
        expect(JSON.parse(JSON.stringify(program))).toEqual(program);
        expect(JSON.stringify(program).length).toBeLessThan(32 * 1024 * 1024);
        runCommand(['sh', '-c', script], makeHost(startMs, {}, []));
      }),
      { numRuns: 150, seed: 11 },
    );
    // Scripts that never end are run for a minute each: a loaded machine needs its time for that.
  }, 300_000);
});
