/** CBOR on the wire with its gate on and off, as a real 1.36.3 has it (facts.json, written by record.ts). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { aCluster } from '../../../support/cluster.ts';
import { asker } from '../../seeds-client.ts';
import { show } from './bytes.ts';
import { type CborStep, cborSteps, type CborTold, states } from './cases.ts';

type Described = { readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly produces: unknown; readonly consumes: unknown }>>>> };
type Facts = Readonly<Record<string, CborTold>>;
const facts = JSON.parse(readFileSync(join(import.meta.dirname, 'facts.json'), 'utf8')) as Readonly<Record<keyof typeof states, Facts>>;

/** What no two servers have alike. */
const ownNames = ['uid', 'resourceVersion', 'creationTimestamp', 'time', 'lastTransitionTime', 'continue'];
const own: ReadonlySet<string> = new Set(ownNames);
/** Upstream's router refuses in words of its own (docs/differences.md). */
const routed = /40[0-9]: Not Acceptable|415: Unsupported Media Type/;

function withoutOwn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutOwn);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).flatMap(([name, part]) => (own.has(name) ? [] : [[name, withoutOwn(part)]])));
}

/** As much of an answer as must be alike. */
function compared({ code, type, warnings, cbor, text = '' }: CborTold): object {
  const common = { code, ...(warnings !== undefined && { warnings }) };
  if (cbor !== undefined) return { ...common, type, cbor: shownAll(Buffer.from(cbor, 'hex')) };
  if (!type.startsWith('application/json')) return { ...common, type };
  const body = JSON.parse(text) as { readonly kind?: string; readonly message?: string; readonly reason?: string };
  return { ...common, type, body: body.kind === 'Status' && code >= 400 ? { message: body.message, reason: body.reason } : withoutOwn(body) };
}

/** Each document of a sequence. */
function shownAll(bytes: Uint8Array): readonly string[] {
  const documents: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    const { text, end } = show(bytes, own, at);
    documents.push(text);
    at = end;
  }
  return documents;
}

describe.each(['on', 'off'] as const)('the gate is %s', (state) => {
  const told = new Map<CborStep, CborTold>();

  beforeAll(async () => {
    const made = await aCluster({ seed: 1, nodes: 0, options: { controllers: '-*', 'feature-gates': states[state] } });
    await made.advance(1000);
    const ask = asker(made);
    for (const step of cborSteps) {
      const { method, path, accept, type = '', bytes = [] } = step;
      const answer = ask(method, path, { accept, type, bytes: Uint8Array.from(bytes), headers: { 'user-agent': 'cbor' } });
      const isCbor = answer.type.startsWith('application/cbor');
      told.set(step, {
        ...{ code: answer.status, type: answer.type },
        ...(answer.warnings.length > 0 && { warnings: answer.warnings }),
        ...(isCbor ? { cbor: Buffer.from(answer.bytes).toString('hex') } : { text: answer.text }),
      });
      if (step.settles === true) await made.advance(4000);
    }
  });

  it.each(cborSteps.map((step) => [step.name, step] as const))('%s', (name, step) => {
    const answer = told.get(step) as CborTold;
    const fact = facts[state][name] as CborTold;
    if (routed.test(fact.text ?? '')) expect(answer.code).toBe(fact.code);
    else expect(compared(answer)).toEqual(compared(fact));
  });

  it('the documents of OpenAPI name it where a real server’s do', async () => {
    const ask = asker(await aCluster({ seed: 1, nodes: 0, options: { controllers: '-*', 'feature-gates': states[state] } }));
    const { paths } = JSON.parse(ask('GET', '/openapi/v2').text) as Described;
    const pods = '/api/v1/namespaces/{namespace}/pods';
    const [more, streams, applies] =
      state === 'on' ? [['application/cbor'], ['application/cbor-seq'], ['application/apply-patch+cbor']] : [[], [], []];
    const usual = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf', ...more];
    expect(paths[`${pods}/{name}`]?.['get']?.produces).toEqual(usual);
    expect(paths[pods]?.['get']?.produces).toEqual([
      ...usual,
      ...['application/json;stream=watch', 'application/vnd.kubernetes.protobuf;stream=watch', ...streams],
    ]);
    expect(paths[`${pods}/{name}/log`]?.['get']?.produces).toEqual(['text/plain', ...usual]);
    expect(paths[`${pods}/{name}`]?.['patch']?.consumes).toEqual([
      ...['application/json-patch+json', 'application/merge-patch+json', 'application/strategic-merge-patch+json'],
      ...['application/apply-patch+yaml', ...applies],
    ]);
    expect(paths['/apis/']?.['get']?.produces).toEqual(usual.slice(0, 3));
  });

  it('the same answer has the same bytes each time', async () => {
    const ask = asker(await aCluster({ seed: 1, nodes: 0, options: { controllers: '-*', 'feature-gates': states[state] } }));
    const answers = [1, 2].map(() => ask('GET', '/api/v1/namespaces', { accept: 'application/cbor' }));
    expect(answers[0]?.bytes).toEqual(answers[1]?.bytes);
  });
});
