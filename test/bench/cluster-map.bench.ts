/**
 * What the map of a large cluster costs: its first reading, readings while pods change, and bytes, by colour. Pods are put into the
 * store as they would be, without running anything. Run: npm run bench -- cluster-map [nodes pods]
 */
import { gzipSync } from 'node:zlib';
import { mapColours } from '../../engine/api/sim/v1alpha1/cluster-map.ts';
import type { KubeObject } from '../../engine/apimachinery/object.ts';
import { adminIdentity } from '../../engine/cluster/identities.ts';
import { aCluster } from '../support/cluster.ts';
import { percentile, print } from './spawned.ts';

const [nodes = 5_000, pods = 150_000] = process.argv.slice(2).map(Number);
const path = '/apis/sim.wavetank.dev/v1alpha1/clustermaps/cluster';
const made = await aCluster({ nodes: 1, options: { controllers: '-*', scheduler: 'false' } });
const { store } = made.cluster;
const meta = { virtualMs: made.cluster.loop.nowMs(), identity: 'bench', causes: [] };
const at = new Date(meta.virtualMs).toISOString();

function aNode(index: number): KubeObject {
  const conditions = [{ type: 'Ready', status: index % 50 === 0 ? 'Unknown' : 'True', lastTransitionTime: at }];
  const labels = { 'topology.kubernetes.io/zone': `zone-${index % 3}` };
  const status = { conditions, allocatable: { cpu: '16', pods: '110', memory: '64Gi' } };
  return { apiVersion: 'v1', kind: 'Node', metadata: { name: `pool-${index}`, uid: `n${index}`, labels }, spec: {}, status } as KubeObject;
}

function aPod(index: number, isReady: boolean): KubeObject {
  const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: `web-${index % 300}`, uid: `r${index % 300}`, controller: true };
  const containers = [{ name: 'c', image: 'nginx', resources: { requests: { cpu: `${50 * (1 + (index % 9))}m` } } }];
  const conditions = [
    { type: 'PodScheduled', status: 'True' },
    { type: 'Ready', status: isReady ? 'True' : 'False', lastTransitionTime: at },
  ];
  const tolerations = ['not-ready', 'unreachable'].map((key) => ({
    key: `node.kubernetes.io/${key}`,
    operator: 'Exists',
    effect: 'NoExecute',
    tolerationSeconds: 300,
  }));
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: `web-${index}`, namespace: 'default', uid: `p${index}`, creationTimestamp: at, ownerReferences: [owner] },
    spec: { nodeName: `pool-${index % nodes}`, containers, tolerations },
    status: { phase: 'Running', conditions, containerStatuses: [{ name: 'c', state: { running: { startedAt: at } } }] },
  } as unknown as KubeObject;
}

for (let index = 1; index < nodes; index++) store.create(`/registry/minions/pool-${index}`, aNode(index), meta);
for (let index = 0; index < pods; index++) store.create(`/registry/pods/default/web-${index}`, aPod(index, true), meta);
made.cluster.history.catchUp();

/** Processor time of the engine's answer alone: what else the machine does counts for nothing. */
function read(query: string, name = 'cluster'): { readonly ms: number; readonly bytes: number; readonly zipped: number } {
  const before = process.threadCpuUsage();
  const answer = made.door.serveAtOnce({
    ...{ method: 'GET', path: path.replace(/cluster$/, name), query, headers: {}, body: new Uint8Array(), identity: adminIdentity },
  });
  if (!('body' in answer)) throw new Error('the map is no stream');
  const pieces = typeof answer.body === 'string' || answer.body instanceof Uint8Array ? [answer.body] : [...answer.body];
  const { user, system } = process.threadCpuUsage(before);
  const text = pieces.map((piece) => (typeof piece === 'string' ? piece : new TextDecoder().decode(piece))).join('');
  return { ms: (user + system) / 1000, bytes: text.length, zipped: gzipSync(text).length };
}

print('cluster-map/first', { nodes, pods, ...read('by=state') });
for (const by of mapColours) {
  const times: number[] = [];
  let last = read(`by=${by}`);
  for (let turn = 0; turn < 10; turn++) {
    for (let changed = 0; changed < 500; changed++) {
      const index = (turn * 500 + changed) % pods;
      store.update(`/registry/pods/default/web-${index}`, undefined, aPod(index, turn % 2 === 0), meta);
    }
    last = read(`by=${by}`);
    times.push(last.ms);
  }
  print(`cluster-map/by-${by}`, { p50Ms: percentile(times, 0.5), maxMs: percentile(times, 1), bytes: last.bytes, zipped: last.zipped });
}
print('cluster-map/one-node', read('', 'pool-7'));
