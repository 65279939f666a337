/**
 * Records what the real library says: builds `judge/main.go` (Go and the modules of the release are needed) and asks it.
 *   JUDGE=/path/to/judge node build/with-node.mjs test/contract/rules/record.ts
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { ruleCases } from './cases.ts';

const judge = process.env['JUDGE'];
if (judge === undefined) throw new Error('JUDGE is the program built from judge/main.go');
const input = ruleCases()
  .map((one) => `${JSON.stringify(one)}\n`)
  .join('');
const { stdout, stderr, status } = spawnSync(judge, { input, encoding: 'utf8', maxBuffer: 1 << 28 });
if (status !== 0) throw new Error(stderr);
writeFileSync(new URL('facts.jsonl.gz', import.meta.url), gzipSync(stdout, { level: 9 }));
