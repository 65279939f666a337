/** Every gate that can be switched changes something here, or docs/seeds.md names it among those that do not. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Release } from '../contracts/release.ts';
import { mustGetRelease } from './releases.ts';

const engine = join(import.meta.dirname, '..');
const asked = /'([A-Z]\w+)'/g;

/** Words in quotes of our source, but for the tables of gates themselves. */
function wordsOfSource(): ReadonlySet<string> {
  const files = readdirSync(engine, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !/\.test\.ts$|feature-gates/.test(name),
  );
  const words = new Set<string>();
  for (const name of files) for (const [, word = ''] of readFileSync(join(engine, name), 'utf8').matchAll(asked)) words.add(word);
  return words;
}

const words = wordsOfSource();
const listed = new Set(readFileSync(join(engine, '../docs/seeds.md'), 'utf8').match(/[A-Z]\w+/g));

it.each(['1.36', '1.13'])('each gate of %s is asked for, or said to change nothing', (name) => {
  const { featureGates }: Release = mustGetRelease(name);
  const idle = featureGates.filter((gate) => gate.locked !== true && gate.gone !== true && !words.has(gate.name) && !listed.has(gate.name));
  expect(idle.map((gate) => gate.name)).toEqual([]);
});
