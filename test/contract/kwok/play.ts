/**
 * KWOK's own stage files (of its Go module) play nodes and pods: the same steps against whatever answers, ours or a real API server
 * with the real kwok beside it. What was there in the end stands in `recorded.json`.
 */
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { load } from 'js-yaml';

export type Ask = (method: string, path: string, body?: object, type?: string) => Promise<{ readonly code: number; readonly body: Thing }>;

export interface Thing {
  readonly metadata?: { readonly name?: string; readonly labels?: object };
  readonly message?: string;
  readonly status?: object;
  readonly items?: readonly Thing[];
  readonly [member: string]: unknown;
}

export interface KwokCase {
  readonly name: string;
  /** Below kustomize/stage. */
  readonly stages: readonly string[];
  readonly pods: readonly object[];
  /** Done when the first wait is over; then there is another. */
  readonly later?: readonly { readonly method: string; readonly path: string; readonly body?: object; readonly type?: string }[];
}

const modules = join(process.env['GOMODCACHE'] ?? join(homedir(), 'go/pkg/mod'), 'sigs.k8s.io/kwok@v0.8.0/kustomize/stage');
export const hasStages = existsSync(modules);
if (!hasStages) console.log(`skipped: ${modules} is not here (KWOK's own stages)`);

function readStageFile(file: string): Thing {
  return load(readFileSync(join(modules, `${file}.yaml`), 'utf8')) as Thing;
}

const node = 'n';
const pod = (name: string, spec: object = {}, metadata: object = {}): object => ({
  metadata: { name, ...metadata },
  spec: { nodeName: node, containers: [{ name: 'c', image: 'i' }], ...spec },
});
const job = { ownerReferences: [{ apiVersion: 'batch/v1', kind: 'Job', name: 'j', uid: 'u' }] };
const inits = {
  initContainers: [
    { name: 'first', image: 'i1' },
    { name: 'side', image: 'i2', restartPolicy: 'Always' },
  ],
};
const gates = { readinessGates: [{ conditionType: 'example.com/ready' }] };
const soon = (...names: readonly string[]): object => ({
  annotations: Object.fromEntries(
    names.flatMap((name) => [
      [`${name}.stage.kwok.x-k8s.io/delay`, '100ms'],
      [`${name}.stage.kwok.x-k8s.io/jitter-delay`, '200ms'],
    ]),
  ),
});
const merge = 'application/merge-patch+json';
const pods = '/api/v1/namespaces/default/pods';
const general = ['pod-create', 'pod-init-container-running', 'pod-init-container-completed', 'pod-ready', 'pod-complete', 'pod-delete'];
const chaos = (stage: string): object => ({ metadata: { labels: { [`${stage}.stage.kwok.x-k8s.io`]: 'true' } } });
const fast = ['node/fast/node-initialize', 'pod/fast/pod-ready', 'pod/fast/pod-complete', 'pod/fast/pod-delete'];

export const kwokCases: readonly KwokCase[] = [
  {
    name: 'fast',
    stages: [...fast, 'node/heartbeat-with-lease/node-heartbeat-with-lease'],
    pods: [
      pod('plain'),
      pod('inits', { ...inits, ...gates }),
      pod('host', { hostNetwork: true }),
      pod('of-a-job', {}, job),
      pod('left-alone', {}, { annotations: { 'kwok.x-k8s.io/status': 'custom' } }),
      pod('going'),
      pod('held', {}, { finalizers: ['example.com/hold'] }),
    ],
    later: [
      { method: 'DELETE', path: `${pods}/going` },
      { method: 'DELETE', path: `${pods}/held` },
    ],
  },
  {
    name: 'general',
    stages: ['node/fast/node-initialize', ...general.map((name) => `pod/general/${name}`)],
    pods: [
      pod('plain', gates, soon(...general)),
      pod('inits', { initContainers: [{ name: 'first', image: 'i1' }] }, soon(...general)),
      pod('of-a-job', {}, { ...job, ...soon(...general) }),
      pod('going', {}, soon(...general)),
    ],
    later: [{ method: 'DELETE', path: `${pods}/going` }],
  },
  {
    name: 'chaos',
    stages: [...fast, 'node/chaos/node-not-ready', 'pod/chaos/pod-container-running-failed'],
    pods: [
      pod(
        'one',
        {
          containers: [
            { name: 'a', image: 'i' },
            { name: 'b', image: 'i' },
          ],
        },
        {
          annotations: {
            'pod-container-running-failed.stage.kwok.x-k8s.io/container-name': 'b',
            'pod-container-running-failed.stage.kwok.x-k8s.io/exit-code': '7',
          },
        },
      ),
      pod('two'),
    ],
    later: [
      { method: 'PATCH', path: `${pods}/one`, type: merge, body: chaos('pod-container-running-failed') },
      { method: 'PATCH', path: `/api/v1/nodes/${node}`, type: merge, body: chaos('node-not-ready') },
    ],
  },
];

export const waitMs = 8000;

/** The statuses in the end, of the node and of each pod. */
export async function play(ask: Ask, { stages, pods: given, later = [] }: KwokCase, wait: (ms: number) => Promise<void>): Promise<unknown> {
  const must = async (method: string, path: string, body?: object, type?: string): Promise<Thing> => {
    const answer = await ask(method, path, body, type);
    if (answer.code >= 400 && answer.code !== 409) throw new Error(`${method} ${path}: ${answer.body.message ?? ''}`);
    return answer.body;
  };
  await must('POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } });
  for (const stage of stages) await must('POST', '/apis/kwok.x-k8s.io/v1alpha1/stages', readStageFile(stage));
  await wait(2000);
  await must('POST', '/api/v1/nodes', { metadata: { name: node, annotations: { 'kwok.x-k8s.io/node': 'fake' } }, spec: { podCIDR: '10.9.0.0/24' } });
  await must('POST', '/api/v1/nodes', { metadata: { name: 'other' } });
  await wait(2000);
  for (const each of given) await must('POST', pods, each);
  await wait(waitMs);
  const middle = await seen(must);
  for (const { method, path, body, type } of later) await must(method, path, body, type);
  await wait(waitMs);
  return { middle, end: await seen(must) };
}

async function seen(must: (method: string, path: string) => Promise<Thing>): Promise<unknown> {
  const nodes = (await must('GET', '/api/v1/nodes')).items ?? [];
  const there = (await must('GET', pods)).items ?? [];
  return Object.fromEntries(
    [...nodes, ...there].map((each) => [each.metadata?.name ?? '', plain(each.status ?? {})] as const).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}

/** Without times, without which of the addresses of its range a pod was given, and without what KWOK says of itself. */
function plain(status: object): unknown {
  const text = JSON.stringify(status)
    .replaceAll(/"\d{4}-\d\d-\d\dT[\d:.]+Z"/g, '"<time>"')
    .replaceAll(/"10\.9\.0\.\d+"/g, '"<pod>"');
  return JSON.parse(text);
}
