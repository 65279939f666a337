/** What types and fields are for, in OpenAPI. `field-words.json` holds the first eight letters of SHA-256 of what a real 1.36.3 says of each definition, `field-words-1.13.json` of what a real 1.13.12 does. */
import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { Cluster } from '../../engine/cluster/cluster.ts';
import { readTypes } from '../../engine/host/type-files.ts';
import { testConfig, testHost } from '../support/cluster.ts';
import recorded from './field-words.json' with { type: 'json' };
import recorded113 from './field-words-1.13.json' with { type: 'json' };
import otherwise113 from './field-words-1.13-others.json' with { type: 'json' };

interface Described {
  readonly description?: string;
  readonly properties?: { readonly [field: string]: { readonly description?: string } };
}

async function definitions(release?: string): Promise<ReadonlyMap<string, Described>> {
  const cluster = new Cluster(testConfig({ seed: 1, nodes: 0, ...(release !== undefined && { release }) }), { ...testHost(), readTypes });
  await cluster.start();
  const identity = { name: 'u', groups: ['system:masters'] };
  const headers = { accept: 'application/json' };
  const answer = cluster.door.serveAtOnce({ method: 'GET', path: '/openapi/v2', query: '', headers, body: new Uint8Array(), identity });
  if (!('body' in answer)) throw new Error('no document');
  const chunks = typeof answer.body === 'string' ? [answer.body] : [...answer.body];
  const text = Buffer.concat(chunks.map((one) => Buffer.from(one as string))).toString();
  const { definitions: found } = JSON.parse(text) as { readonly definitions: { readonly [name: string]: Described } };
  return new Map(Object.entries(found));
}

function sumOf({ description = '', properties = {} }: Described): string {
  const said = [['', description], ...Object.entries(properties).map(([field, { description: text = '' }]) => [field, text])];
  const lines = said
    .filter(([, text]) => text !== '')
    .sort(([a = ''], [b = '']) => (a < b ? -1 : 1))
    .map(([field, text]) => `${field}\n${text}`);
  return createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 8);
}

it('says of every type and field what a real 1.36.3 says', async () => {
  const said = await definitions();
  // This cluster has no key to sign tokens with, so no types of requests for them.
  const unsaid = Object.keys(recorded).filter((name) => !said.has(name));
  expect(unsaid.filter((name) => !/\.(BoundObjectReference|TokenRequest\w*)$/.test(name))).toEqual([]);
  const differing = Object.entries(recorded)
    .filter(([name]) => said.has(name))
    .flatMap(([name, sum]) => (sumOf(said.get(name) ?? {}) === sum ? [] : [name]));
  expect(differing).toEqual([]);
});

it('says of the types and fields of release 1.13 what a real 1.13.12 says, but of some', async () => {
  const said = await definitions('1.13');
  const differing = Object.entries(recorded113).filter(([name, sum]) => sumOf(said.get(name) ?? {}) !== sum);
  expect(differing.map(([name]) => name)).toEqual(otherwise113);
});

it('speaks as release 1.13 in words that are nearer to it', async () => {
  const [old, now] = [await definitions('1.13'), await definitions()];
  const optional = (of: ReadonlyMap<string, Described>): string | undefined =>
    of.get('io.k8s.api.core.v1.ConfigMapEnvSource')?.properties?.['name']?.description;
  expect(optional(now)).toMatch(/^Name of the referent. This field is effectively required/);
  expect(optional(old)).toMatch(/^Name of the referent. More info/);
});
