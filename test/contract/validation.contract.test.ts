/**
 * Validation as a real API server of release 1.36 answers it: what it was asked, and the fields, reasons and texts of its refusals
 * (`validation-facts.json`, recorded from kube-apiserver 1.36.3 with dry runs). `unordered`: its faults come in the order of a Go map.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import type { KubeObject } from '../../engine/apimachinery/object.ts';
import type { Status } from '../../engine/apimachinery/status.ts';
import type { JsonObject } from '../../engine/base/json.ts';
import { aCluster } from '../support/cluster.ts';
import { type Ask, asker } from './seeds-client.ts';
import facts from './validation-facts.json' with { type: 'json' };

type Cause = readonly [field: string, reason: string, message: string];

interface Fact {
  readonly name: string;
  readonly setup?: readonly { readonly method: string; readonly path: string; readonly type?: string; readonly body: object }[];
  /** `conditional`: without the version of the object there it is refused for that alone. */
  readonly request: { readonly method: string; readonly path: string; readonly type?: string; readonly body: object; readonly conditional?: boolean };
  readonly expect: {
    readonly code: number;
    readonly reason?: string;
    readonly message?: string;
    readonly causes?: readonly Cause[];
    readonly unordered?: boolean;
  };
}

describe('what a real 1.36 refuses', () => {
  let ask: Ask;

  beforeAll(async () => {
    const made = await aCluster({ seed: 1, nodes: 0 });
    ask = asker(made);
    ask('POST', '/api/v1/namespaces', { body: { metadata: { name: 'facts' } } });
    await made.advance(1000);
  });

  it.each((facts as unknown as readonly Fact[]).map((fact) => [fact.name, fact] as const))('%s', (_name, { setup = [], request, expect: want }) => {
    for (const { method, path, body, type } of setup) ask(method, path, { body, ...(type === undefined ? {} : { type }) });
    const body =
      request.conditional === true ? withVersion(request.body as JsonObject, ask('GET', request.path).body as unknown as KubeObject) : request.body;
    const answer = ask(request.method, `${request.path}?dryRun=All`, { body, ...(request.type === undefined ? {} : { type: request.type }) });
    for (const { method, path, body: made } of setup) if (method === 'POST') ask('DELETE', `${path}/${(made as KubeObject).metadata.name}`);
    const status = answer.body as unknown as Status;
    const causes = (status.details?.causes ?? []).map(({ field = '', reason, message }) => [field, reason, message]);
    if (want.code < 400) return expect(answer.status, answer.text).toBe(want.code);
    if (want.unordered === true) causes.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
    expect({ code: answer.status, reason: status.reason, causes }).toEqual({ code: want.code, reason: want.reason, causes: sorted(want) });
    if (want.unordered !== true) expect(status.message).toBe(want.message);
  });
});

function sorted({ causes = [], unordered }: Fact['expect']): readonly Cause[] {
  return unordered === true ? [...causes].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) : causes;
}

function withVersion(body: JsonObject, { metadata: { resourceVersion = '' } }: KubeObject): object {
  return { ...body, metadata: { ...(body['metadata'] as JsonObject), resourceVersion } };
}
