/** The shell of simulated containers says what busybox said. */
import { expect, it } from 'vitest';
import { busyboxImage } from '../../../engine/nodes/images/shells.ts';
import { advanceProgram, type ProgramHost, startProgram } from '../../../engine/nodes/runtime/program.ts';
import { shellCases } from './cases.ts';
import said from './busybox-said.json' with { type: 'json' };

const answers: Readonly<Record<string, string>> = said;

/** In an empty folder, as busybox ran it. */
function run(script: string): string {
  const lines: string[] = [];
  const files: Record<string, string> = {};
  const host: ProgramHost = {
    nowMs: 1_767_225_600_000,
    hostname: 'pod',
    definition: busyboxImage,
    env: () => ({ PATH: '/bin', HOME: '/root' }),
    readFile: () => undefined,
    folders: () => ['/empty'],
    files,
    log: (text) => void lines.push(text),
  };
  const { program } = startProgram(['sh', '-c', `cd /empty\n${script}`], host);
  expect(program).toBeDefined();
  if (program !== undefined) expect(advanceProgram(program, host)).toBeDefined();
  return lines.map((line) => `${line}\n`).join('');
}

it.each(shellCases)('$name', ({ name, script }) => {
  expect(run(script)).toBe(answers[name]);
});
