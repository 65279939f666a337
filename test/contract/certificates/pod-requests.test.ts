/** Requests for certificates of pods, as kubelets ask for them and as signers answer: each as a real 1.36.3 told it (`pod-requests.json`, 2026-11-27). */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { adminIdentity } from '../../../engine/cluster/identities.ts';
import { certificateJudge } from '../../../engine/serving/x509/certificate-judge.ts';
import { aCluster, type TestCluster } from '../../support/cluster.ts';
import { type Answer, type Ask, asking, merge, nodeUser } from '../trust/asking.ts';

interface Facts {
  readonly nowMs: number;
  readonly stubs: { readonly [name: string]: string };
  readonly requests: { readonly [name: string]: { readonly spec: { readonly [field: string]: string }; readonly told: string } };
  readonly statuses: { readonly [name: string]: { readonly status: { readonly certificateChain: string }; readonly told: string } };
}

const facts = JSON.parse(readFileSync(new URL('pod-requests.json', import.meta.url), 'utf8')) as Facts;
const core = '/api/v1/namespaces/default';
const requests = '/apis/certificates.k8s.io/v1beta1/namespaces/default/podcertificaterequests';
const ids = new Map<string, string>();
let ask: Ask;
let kubelet: Ask;
let cluster: TestCluster;

beforeAll(async () => {
  // Of this version the one kind alone is served.
  const options = { 'feature-gates': 'PodCertificateRequest=true', 'runtime-config': 'certificates.k8s.io/v1beta1/podcertificaterequests=true' };
  cluster = await aCluster({ seed: 1, nodes: 0, startMs: facts.nowMs, options }, { certificateJudge });
  ask = asking(cluster, adminIdentity);
  kubelet = asking(cluster, nodeUser('n1'));
  const make = (name: string, path: string, body: object): void => {
    const { code, body: made } = ask('POST', path, body);
    expect(code).toBe(201);
    ids.set(`<${name}>`, String((made['metadata'] as { readonly uid: string }).uid));
  };
  for (const name of ['n1', 'n2']) make(name, '/api/v1/nodes', { metadata: { name } });
  for (const name of ['sa', 'sb']) make(name, `${core}/serviceaccounts`, { metadata: { name } });
  for (const [name, nodeName] of [['p1', 'n1'], ['p2', 'n2']] as const) // biome-ignore format: short
    make(name, `${core}/pods`, {
      metadata: { name },
      spec: { nodeName, serviceAccountName: 'sa', automountServiceAccountToken: false, containers: [{ name: 'c', image: 'x' }] },
    });
});

function request(name: string, spec: object = {}): object {
  const [podUID, serviceAccountUID, nodeUID] = ['<p1>', '<sa>', '<n1>'].map((one) => ids.get(one));
  const standard = { signerName: 'x.io/y', podName: 'p1', serviceAccountName: 'sa', nodeName: 'n1', stubPKCS10Request: facts.stubs['csr'] };
  const kind = { apiVersion: 'certificates.k8s.io/v1beta1', kind: 'PodCertificateRequest' };
  return { ...kind, metadata: { name }, spec: { ...standard, podUID, serviceAccountUID, nodeUID, maxExpirationSeconds: 86_400, ...spec } };
}

function tellingOf({ code, message, body }: Answer, chain = ''): string {
  const shown = [...ids].reduce((text, [name, uid]) => text.replaceAll(uid, name), message).replaceAll(JSON.stringify(chain), '<chain>');
  return code < 300 ? `${code}  ok` : `${code} ${String(body['reason'] ?? '')} ${shown}`;
}

describe('a kubelet asks with', () => {
  it.each(Object.entries(facts.requests))('%s', (_name, { spec, told }) => {
    const given = Object.entries(spec).map(([field, value]) => [field, ids.get(value) ?? facts.stubs[value.slice(1, -1)] ?? value]);
    expect(tellingOf(kubelet('POST', requests, request('r', Object.fromEntries(given))))).toBe(told);
    ask('DELETE', `${requests}/r`);
  });
});

describe('a signer answers with', () => {
  it.each(Object.entries(facts.statuses))('%s', (_name, { status, told }) => {
    expect(ask('POST', requests, request('r')).code).toBe(201);
    expect(tellingOf(ask('PATCH', `${requests}/r/status`, { status }, merge), status.certificateChain)).toBe(told);
    ask('DELETE', `${requests}/r`);
  });
});

it('serves of a version only what was named, and of another nothing', () => {
  const { body } = ask('GET', '/apis/certificates.k8s.io/v1beta1');
  expect((body['resources'] as readonly { readonly name: string }[]).map(({ name }) => name)).toEqual([
    'podcertificaterequests',
    'podcertificaterequests/status',
  ]);
  expect(ask('GET', '/apis/certificates.k8s.io/v1beta1/clustertrustbundles').code).toBe(404);
});
