/**
 * Records what the real library says: builds `judge/main.go` (Go and the modules of the release are needed) and asks it.
 *   JUDGE=/path/to/judge node build/with-node.mjs test/contract/schemas/record.ts
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { encodeJson } from '../../../engine/apimachinery/serializer/json.ts';
import { drawn, drawnCount, handWritten } from './cases.ts';
import { definitionCases } from './definitions.ts';

const judge = process.env['JUDGE'];
if (judge === undefined) throw new Error('JUDGE is the program built from judge/main.go');

function ask(given: readonly unknown[], ...args: readonly string[]): string {
  const { stdout, stderr, status } = spawnSync(judge as string, args, {
    input: given.map((one) => `${encodeJson(one)}\n`).join(''),
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

const keep = (name: string, text: string): void => writeFileSync(new URL(name, import.meta.url), gzipSync(text, { level: 9 }));
const cases = [...handWritten(), ...drawn(1, drawnCount)];
keep('facts.jsonl.gz', ask(cases));
keep('definitions.jsonl.gz', ask(definitionCases(), 'definitions'));
