import { describe, expect, it } from 'vitest';
import { busyboxImage } from '../images/shells.ts';
import { advanceProgram, programWakeMs, startProgram, type ProgramHost } from './program.ts';

interface Outcome {
  readonly lines: readonly string[];
  readonly exitCode: number | undefined;
  readonly tookMs: number;
}

function run(argv: readonly string[], limitMs = 3_600_000): Outcome {
  const lines: string[] = [];
  const files: Record<string, string> = {};
  let nowMs = Date.parse('2026-01-01T00:00:00Z');
  const startMs = nowMs;
  const host = (): ProgramHost => ({
    nowMs,
    hostname: 'pod',
    definition: busyboxImage,
    env: () => ({ GREETING: 'hello', EMPTY: '' }),
    readFile: (path) => (path === '/etc/config/key' ? 'value\n' : undefined),
    folders: () => ['/volume'],
    files,
    log: (text) => void lines.push(text),
  });
  const { program } = startProgram(argv, host());
  if (program === undefined) return { lines, exitCode: undefined, tookMs: 0 };
  for (;;) {
    const exitCode = advanceProgram(program, host());
    const wake = programWakeMs(program);
    if (exitCode !== undefined || wake === undefined || wake - startMs > limitMs) return { lines, exitCode, tookMs: nowMs - startMs };
    nowMs = wake;
  }
}

const cases: readonly { name: string; script: string; lines: readonly string[]; exitCode?: number; tookMs?: number }[] = [
  { name: 'a sequence with a sleep', script: 'echo hi; sleep 5; echo bye', lines: ['hi', 'bye'], tookMs: 5000 },
  { name: 'and, or, not', script: 'true && echo a; false && echo b; false || echo c; ! true || echo d', lines: ['a', 'c', 'd'] },
  { name: 'if, elif, else', script: 'if [ 1 -gt 2 ]; then echo x; elif test -n "$GREETING"; then echo y; else echo z; fi', lines: ['y'] },
  { name: 'for over words and seq', script: 'for i in a $(seq 2); do echo $i; done', lines: ['a', '1', '2'] },
  {
    name: 'while with arithmetic and break',
    script: 'i=0; while true; do i=$((i+1)); if [ $i -ge 3 ]; then break; fi; echo $i; done',
    lines: ['1', '2'],
  },
  { name: 'until', script: 'n=0; until [ $n -eq 2 ]; do n=$((n+1)); sleep 1; done; echo $n', lines: ['2'], tookMs: 2000 },
  { name: 'variables and defaults', script: 'X=1; echo "$X ${Y:-none} ${GREETING} ${#GREETING}" \'$X\'', lines: ['1 none hello 5 $X'] },
  { name: 'pipes', script: 'printf "b\\na\\n" | sort | head -n 1', lines: ['a'] },
  { name: 'files', script: 'echo one > /tmp/f; echo two >> /tmp/f; cat /tmp/f; cat /etc/config/key', lines: ['one', 'two', 'value'] },
  {
    name: 'folders, which exist by what is in them or where a volume is mounted',
    script:
      'mkdir -p /data/a; echo x > /data/a/f; : > /data/a/e; for t in "-d /data" "-d /data/a/f" "-f /data/a/f" "-f /data" "-e /tmp" "-e /nope" "-s /data/a/e" "-d /volume"; do test $t && echo "$t"; done',
    lines: ['-d /data', '-f /data/a/f', '-e /tmp', '-d /volume'],
  },
  {
    name: 'ls, which hides what begins with a dot unless asked, and says what is not there',
    script: 'echo 1 > /d/x; echo 2 > /d/.y; ls /d; ls -A /d; ls /d/x; ls /nope',
    lines: ['x', '.y', 'x', '/d/x', 'ls: /nope: No such file or directory'],
    exitCode: 1,
  },
  {
    name: 'find, by depth, type and name',
    script:
      'echo 1 > /d/a/x.txt; echo 2 > /d/y.log; find /d; find /d -maxdepth 1 -mindepth 1; find /d -type f -name "*.txt"; find /nope; find /d -perm 7',
    lines: [
      '/d',
      '/d/a',
      '/d/a/x.txt',
      '/d/y.log',
      '/d/a',
      '/d/y.log',
      '/d/a/x.txt',
      'find: /nope: No such file or directory',
      'find: unrecognized: -perm',
    ],
    exitCode: 1,
  },
  {
    name: 'what upstream’s recycler of volumes does',
    script:
      'echo 1 > /volume/a/x; echo 2 > /volume/.y; test -e /volume && find /volume -mindepth 1 -delete && test -z "$(ls -A /volume)" || exit 1; ls -A /volume; echo clean',
    lines: ['clean'],
  },
  { name: 'functions and case', script: 'f() { case "$X" in a*) echo A;; *) echo other;; esac; }; X=abc; f; X=b; f', lines: ['A', 'other'] },
  { name: 'exit', script: 'echo a; exit 7; echo b', lines: ['a'], exitCode: 7 },
  { name: 'set -e', script: 'set -eu; if false; then echo x; fi; false || echo a; false; echo b', lines: ['a'], exitCode: 1 },
  { name: 'unknown commands', script: 'frobnicate --now', lines: ['sh: frobnicate: not found'], exitCode: 127 },
  { name: 'background and wait', script: 'sleep 4 & wait; echo done', lines: ['done'], tookMs: 4000 },
  { name: 'date', script: 'date +%Y-%m-%dT%H:%M:%S; date', lines: ['2026-01-01T00:00:00', 'Thu Jan  1 00:00:00 UTC 2026'] },
  { name: 'syntax errors', script: 'if true; then', lines: [], exitCode: 2 },
];

describe('the simulated shell', () => {
  it.each(cases)('runs $name', ({ script, lines, exitCode = 0, tookMs = 0 }) => {
    const outcome = run(['sh', '-c', script]);
    expect(outcome.exitCode).toBe(exitCode);
    if (exitCode !== 2) expect(outcome).toEqual({ lines, exitCode, tookMs });
  });

  it('runs commands without a shell', () => {
    expect(run(['sleep', '1m'])).toEqual({ lines: [], exitCode: 0, tookMs: 60_000 });
    expect(run(['echo', "it's", '$HOME'])).toEqual({ lines: ["it's $HOME"], exitCode: 0, tookMs: 0 });
  });

  it('a loop without sleep takes processor time', () => {
    expect(run(['sh', '-c', 'while true; do :; done'], 10_000).tookMs).toBe(10_000);
  });

  it('ends at once without a terminal', () => {
    expect(run(['sh'])).toEqual({ lines: [], exitCode: 0, tookMs: 0 });
  });

  it('computes pi', () => {
    expect(run(['perl', '-Mbignum=bpi', '-wle', 'print bpi(20)']).lines).toEqual(['3.1415926535897932385']);
  });
});
