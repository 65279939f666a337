import { expect, it } from 'vitest';
import { busyboxImage } from '../images/shells.ts';
import { advanceProgram, programWakeMs, startProgram, terminateProgram, type ProgramHost } from './program.ts';

interface Outcome {
  readonly lines: readonly string[];
  readonly exitCode: number | undefined;
  readonly endMs: number;
}

/** Runs a script for twenty seconds; SIGTERM comes after one and a half. */
function run(script: string): Outcome {
  const lines: string[] = [];
  const files: Record<string, string> = {};
  const host = (nowMs: number): ProgramHost => ({
    nowMs,
    hostname: 'pod',
    definition: busyboxImage,
    env: () => ({}),
    readFile: () => undefined,
    files,
    log: (text) => void lines.push(text),
  });
  const { program } = startProgram(['sh', '-c', script], host(0));
  if (program === undefined) throw new Error('no program');
  const moveTo = (endMs: number): Outcome | undefined => {
    for (let wake = programWakeMs(program); wake !== undefined && wake <= endMs; wake = programWakeMs(program)) {
      const exitCode = advanceProgram(program, host(wake));
      expect(JSON.parse(JSON.stringify(program))).toEqual(program);
      if (exitCode !== undefined) return { lines, exitCode, endMs: wake };
    }
    return undefined;
  };
  const early = moveTo(1_500);
  terminateProgram(program, busyboxImage, 1_500);
  return early ?? moveTo(20_000) ?? { lines, exitCode: undefined, endMs: 20_000 };
}

it.each<Outcome & { readonly name: string; readonly script: string }>([
  { name: 'after the command that runs', script: "trap 'echo got; exit 3' TERM; sleep 5; echo never", lines: ['got'], exitCode: 3, endMs: 5_000 },
  { name: 'at once in wait', script: "trap 'echo got $?; exit 3' TERM; sleep 100 & wait; echo never", lines: ['got 143'], exitCode: 3, endMs: 1_500 },
  {
    name: 'and the script goes on behind it',
    script: "trap 'echo got' TERM; for i in 1 2 3; do sleep 1; echo $i; done; echo end",
    lines: ['1', 'got', '2', '3', 'end'],
    exitCode: 0,
    endMs: 3_000,
  },
  {
    name: 'after the subshell that runs',
    script: "trap 'echo got' TERM; (sleep 3; echo in); echo out",
    lines: ['in', 'got', 'out'],
    exitCode: 0,
    endMs: 3_000,
  },
  {
    name: 'as a function that changes variables',
    script: "f() { n=$1; }; trap 'f 7' TERM; sleep 2; echo $n",
    lines: ['7'],
    exitCode: 0,
    endMs: 2_000,
  },
  {
    name: 'with what is done at the end',
    script: "trap 'echo bye' EXIT; trap 'exit 4' TERM; sleep 2; echo never",
    lines: ['bye'],
    exitCode: 4,
    endMs: 2_000,
  },
  { name: 'not, where it is ignored', script: "trap '' TERM; sleep 3; echo end", lines: ['end'], exitCode: 0, endMs: 3_000 },
  { name: 'not, where nobody asked for it and it is the first process', script: 'sleep 3; echo end', lines: ['end'], exitCode: 0, endMs: 3_000 },
])('a signal is heard $name', ({ script, lines, exitCode, endMs }) => {
  expect(run(script)).toEqual({ lines, exitCode, endMs });
});
