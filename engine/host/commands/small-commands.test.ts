/** Commands about running clusters wait for no engine: what they load is counted by the import statements that lead to it. */
import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

const engine = join(import.meta.dirname, '..', '..');
const loads = /^(?:import|export) (?!type )(?:[^;]*? from )?'(\.[^']+)';/gms;

function reached(file: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(loads)) reached(resolve(dirname(file), path), seen);
  return seen;
}

const roomsOf = (file: string): ReadonlySet<string> =>
  new Set([...reached(join(engine, file))].map((path) => relative(engine, path).split('/')[0] ?? ''));

test('list, status, stop and clock load the host, and nothing of a cluster', () => {
  expect([...roomsOf('host/main.ts')].sort()).toEqual(['base', 'host', 'persistence', 'serving']);
  expect(reached(join(engine, 'host/main.ts')).size).toBeLessThan(30);
});

test('the count sees what a command loads', () => {
  expect(roomsOf('host/commands/program.ts')).toContain('controllers');
});
