/** What columns of Tables are for. `column-words.json` holds the first eight letters of SHA-256 of what a real 1.36.3 said of each, all versions and alpha gates being on; `column-words-1.13.json` of what a real 1.13.12 did. */
import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { Cluster } from '../../engine/cluster/cluster.ts';
import { readTypes } from '../../engine/host/type-files.ts';
import { testConfig, testHost } from '../support/cluster.ts';
import recorded from './column-words.json' with { type: 'json' };
import recorded113 from './column-words-1.13.json' with { type: 'json' };

type Words = { readonly [column: string]: string };

async function words(release?: string): Promise<(path: string) => Words> {
  const options = { 'runtime-config': 'api/all=true', ...(release === undefined && { 'feature-gates': 'AllAlpha=true' }) };
  const cluster = new Cluster(testConfig({ seed: 1, nodes: 0, options, ...(release !== undefined && { release }) }), { ...testHost(), readTypes });
  await cluster.start();
  return (path) => {
    const headers = { accept: 'application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json;as=Table;v=v1;g=meta.k8s.io' };
    const identity = { name: 'u', groups: ['system:masters'] };
    const answer = cluster.door.serveAtOnce({ method: 'GET', path, query: '', headers, body: new Uint8Array(), identity });
    if (!('body' in answer)) throw new Error(`no table of ${path}`);
    const text = Buffer.concat([...(typeof answer.body === 'string' ? [answer.body] : answer.body)].map((one) => Buffer.from(one as string)));
    const { columnDefinitions } = JSON.parse(text.toString()) as { readonly columnDefinitions: readonly { name: string; description: string }[] };
    return Object.fromEntries(columnDefinitions.map(({ name, description }) => [name, description]));
  };
}

const sumOf = (text: string | undefined): string => (text === undefined ? 'absent' : createHash('sha256').update(text).digest('hex').slice(0, 8));

/** `pods Age` */
function differing(sums: { readonly [path: string]: Words }, said: (path: string) => Words): readonly string[] {
  const all = Object.entries(sums).flatMap(([path, columns]) => {
    const ours = said(path);
    return Object.entries(columns).flatMap(([name, sum]) => (sumOf(ours[name]) === sum ? [] : [`${path.slice(path.lastIndexOf('/') + 1)} ${name}`]));
  });
  return [...new Set(all)].sort();
}

/** Prose that an older release had: the installed package is of it. */
const others = ['storageversions CommonEncodingVersion'];

it('says of every column what a real 1.36.3 says, but for prose that was another in the installed release', async () => {
  expect(differing(recorded, await words())).toEqual(others);
});

it('says of every column under release 1.13 what a real 1.13.12 says', async () => {
  expect(differing(recorded113, await words('1.13'))).toEqual([]);
});

it('says it in the words of release 1.13 where its printers had others', async () => {
  const [old, now] = [await words('1.13'), await words()];
  const restarts = 'The number of times the containers in this pod have been restarted';
  expect(now('/api/v1/pods')['Restarts']).toBe(`${restarts} and when the last container in this pod has restarted.`);
  expect(old('/api/v1/pods')['Restarts']).toBe(`${restarts}.`);
  for (const path of ['/apis/apps/v1/replicasets', '/apis/extensions/v1beta1/replicasets'])
    expect(old(path)['Ready']).toBe('The number of ready replicas for this replica set.');
  expect(old('/apis/apps/v1beta1/deployments')['Available']).not.toContain('non-terminating');
  expect(old('/apis/policy/v1beta1/podsecuritypolicies')['Priv']).toBe('privileged determines if a pod can request to be run as privileged.');
});
