import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import type { JsonObject } from '../../../engine/base/json.ts';
import { type Side, wavetankSide } from '../../differential/sides.ts';
import { claim, claims, type StatusFact } from './claim.ts';

const facts = JSON.parse(readFileSync(join(import.meta.dirname, 'facts.json'), 'utf8')) as readonly StatusFact[];
let side: Side;

beforeAll(async () => {
  side = await wavetankSide();
  expect((await ask('POST', claims, '', claim)).code).toBe(201);
});

function ask(method: string, path: string, query: string, body: JsonObject): ReturnType<Side['ask']> {
  return side.ask({ method, path, query, type: 'application/json', accept: 'application/json', body });
}

it.each(facts)('answers a claim with the status $status as a real 1.36.3 does: $code', async ({ status, code, message }) => {
  const answer = await ask('PUT', `${claims}/${claim.metadata.name}/status`, 'dryRun=All', { ...claim, status });
  expect({ code: answer.code, message: (JSON.parse(answer.text) as { message?: string }).message }).toEqual({ code, message });
});
