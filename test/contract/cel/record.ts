/**
 * Records what the real CEL says: builds `judge/main.go` (Go and the modules of the release are needed) and asks it.
 *   JUDGE=/path/to/judge node build/with-node.mjs test/contract/cel/record.ts
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { costly } from './costs.ts';
import { expressions, patterns } from './expressions.ts';
import { typedExpressions } from './typed-expressions.ts';

const judge = process.env['JUDGE'];
if (judge === undefined) throw new Error('JUDGE is the program built from judge/main.go');

function ask(given: readonly unknown[], ...args: readonly string[]): unknown {
  const { stdout, stderr, status } = spawnSync(judge as string, args, {
    input: given.map((one) => `${JSON.stringify(one)}\n`).join(''),
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (status !== 0) throw new Error(stderr);
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
}

const recorded = {
  expressions: ask(expressions),
  costs: ask(costly, 'variables'),
  patterns: ask(patterns, 'patterns'),
  typed: ask(typedExpressions),
};
writeFileSync(new URL('recorded.json', import.meta.url), `${JSON.stringify(recorded, undefined, 1)}\n`);
