/**
 * Records what the CEL of Kubernetes says to CEL's own conformance data: builds nothing and keeps no data of it but what a case asks and
 * what is answered. The data is a Go module (cel.dev/expr), which Go fetches into its own cache.
 *   CONFORMANCE=/path/to/program DATA="$(go list -m -f '{{.Dir}}' cel.dev/expr)/tests/simple/testdata" node build/with-node.mjs test/contract/cel/record-conformance.ts
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import type { ConformanceFacts, Said } from './conformance.ts';

const { CONFORMANCE: program, DATA: data } = process.env;
if (program === undefined || data === undefined)
  throw new Error('CONFORMANCE is the program built from judge-conformance/main.go, DATA the folder of the data');
const { stdout, stderr, status } = spawnSync(program, [data], { encoding: 'utf8', maxBuffer: 1 << 28 });
if (status !== 0) throw new Error(stderr);

const said = stdout
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Said & { readonly skip?: string });
const skipped: { [why: string]: string[] } = {};
for (const { skip, name } of said) if (skip !== undefined) (skipped[skip] ??= []).push(name);
const lines = said.filter(({ skip }) => skip === undefined).map((one) => `  ${JSON.stringify(one)}`);
const head = { source: 'cel.dev/expr v0.25.1, asked in the environment of Kubernetes 1.36', skipped } satisfies Omit<ConformanceFacts, 'cases'>;
const text = JSON.stringify(head, undefined, 1).slice(0, -2);
writeFileSync(new URL('conformance.json', import.meta.url), `${text},\n "cases": [\n${lines.join(',\n')}\n ]\n}\n`);
