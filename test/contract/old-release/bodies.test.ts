/** Bodies that do not fit their kind, told as a real 1.13.12 told them (bodies.json, written by record-bodies.ts). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { aCluster } from '../../support/cluster.ts';
import { type Ask, asker } from '../seeds-client.ts';
import { misfits, there } from './bodies.ts';

const facts = JSON.parse(readFileSync(join(import.meta.dirname, 'bodies.json'), 'utf8')) as { readonly [name: string]: object };
let ask: Ask;

beforeAll(async () => {
  const made = await aCluster({ seed: 1, nodes: 0, release: '1.13' });
  await made.advance(5000);
  ask = asker(made);
  ask('POST', there.path, { bytes: new TextEncoder().encode(there.body) });
});

describe('release 1.13 says where a body does not fit', () => {
  it.each(misfits)('$name', ({ name, method = 'POST', path, type = 'application/json', body }) => {
    const answer = ask(method, path, { bytes: new TextEncoder().encode(body), type });
    const { reason = null, message = null } = answer.body as { readonly reason?: unknown; readonly message?: unknown };
    expect({ code: answer.status, reason, message: drawn(message) }).toEqual(drawnIn(facts[name]));
  });

  it('reads a body of any depth and length', () => {
    const deep = `{"apiVersion":"v1","kind":"ConfigMap","data":{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}}`;
    const long = `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"x"},"spec":{"containers":[${Array.from({ length: 50_000 }, () => '{"name":5}').join(',')}]}}`;
    for (const [path, body] of [
      ['configmaps', deep],
      ['pods', long],
    ])
      expect(ask('POST', `/api/v1/namespaces/default/${path}`, { bytes: new TextEncoder().encode(body) }).status).toBe(400);
  });
});

/** Without what a cluster draws. */
function drawn(message: unknown): unknown {
  return typeof message === 'string'
    ? message.replace(/[0-9a-f]{8}-[0-9a-f-]{10,27}/g, '<uid>').replace(/\d{4}-\d\d-\d\dT[\d:]+Z/g, '<time>')
    : message;
}

function drawnIn(fact: object | undefined): object {
  const { message, ...rest } = fact as { readonly message?: unknown };
  return { ...rest, message: drawn(message) };
}
