import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

it('every token that styles ask for is declared: what is not counts as nothing, in silence', () => {
  const sheets = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.css'));
  const text = sheets.map((name) => readFileSync(join(import.meta.dirname, name), 'utf8')).join('');
  const declared = new Set([...text.matchAll(/(?<=[{;\s])(--[\w-]+):/g)].map(([, name]) => name));
  // One with another value beside it may be absent; what a script sets has one.
  const asked = new Set([...text.matchAll(/var\((--[\w-]+)\)/g)].map(([, name]) => name));
  expect([...asked].filter((name) => !declared.has(name) && !byScript.has(name))).toEqual([]);
});

/** Colours that a component gives to one of its parts. */
const byScript: ReadonlySet<string | undefined> = new Set(['--c']);
