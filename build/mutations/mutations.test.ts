/** Mutations are source text: whoever moves what one of them changes moves the mutation along. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { edited } from './bundle.ts';
import { mutations } from './list.ts';

const root = join(import.meta.dirname, '../..');

test.each(mutations.map((mutation) => [mutation.name, mutation] as const))('%s fits the source', (_name, { edits }) => {
  expect(() => edited(root, edits)).not.toThrow();
});

test.each(mutations.flatMap(({ caughtBy = [] }) => caughtBy))('%s is there', (path) => {
  expect(existsSync(join(root, path))).toBe(true);
});

test('each has a name of its own', () => {
  expect(new Set(mutations.map(({ name }) => name)).size).toBe(mutations.length);
});
