import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { unfitNode } from './node-version.ts';

it('an older Node.js is refused in words, before anything that it lacks is asked for', () => {
  expect(unfitNode('v20.20.2')).toMatch(/^Wavetank needs Node\.js 24 or newer, and this is v20\.20\.2;/);
  for (const version of ['v24.0.0', 'v24.21.0', 'v100.1.0', process.version]) expect(unfitNode(version)).toBeUndefined();
});

it('is what package.json says', () => {
  const { engines } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { engines: { node: string } };
  expect(unfitNode(`v${engines.node.replace('>=', '')}.0.0`)).toBeUndefined();
  expect(unfitNode(`v${Number(engines.node.replace('>=', '')) - 1}.9.9`)).toBeDefined();
});
