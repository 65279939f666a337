/** A small share of what `npm run fuzz -- --seed N --requests N` does. */
import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { makeApiBench } from '../support/api-bench.ts';
import { fuzz } from './fuzz.ts';

it('answers malformed requests and keeps what it refused out', () => {
  fuzz(1, 3_000);
}, 120_000);

function run(...args: readonly string[]): { readonly status: number | null; readonly lines: readonly string[]; readonly errors: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['build/with-node.mjs', 'test/contract/fuzz-command.ts', ...args], {
    encoding: 'utf8',
  });
  return { status, lines: stdout.trimEnd().split('\n'), errors: stderr };
}

it('as a command ends with the seed and the count', () => {
  const { status, lines } = run('--seed', '7', '--requests', '20');
  expect([status, lines.at(-1)]).toEqual([0, 'seed=7 requests=20 failed=0']);
});

it.each([[['--requests', '0']], [['--sede', '1']]])('refuses %j in one line', (args) => {
  const { status, errors } = run(...args);
  expect([status, errors.trimEnd().split('\n').length]).toEqual([2, 1]);
});

it('takes a limit below nothing for none, as a real server does', () => {
  const bench = makeApiBench();
  const maps = '/api/v1/namespaces/default/configmaps';
  for (const name of ['a', 'b']) bench.send('POST', maps, { metadata: { name } });
  for (const query of ['limit=-1', 'limit=-1&resourceVersion=0']) {
    const { status, text } = bench.send('GET', `${maps}?${query}`);
    expect([status, (JSON.parse(text) as { items: unknown[] }).items.length]).toEqual([200, 2]);
  }
});
