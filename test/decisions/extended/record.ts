/**
 * `node build/with-node.mjs test/decisions/extended/record.ts KUBECONFIG LOG COUNT` puts drawn pods before a real control plane (API server
 * and scheduler, no controllers; the scheduler with `-v=10` and the arguments of `draw.ts` in its configuration, which `config KUBECONFIG`
 * prints) and keeps in `facts.json` what became of each at first.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import type { Pod } from '../../../engine/api/core/v1/types.gen.ts';
import type { ResourceClaim } from '../../../engine/api/resource/v1/types.gen.ts';
import type { JsonObject } from '../../../engine/base/json.ts';
import { readPeerKubeconfig } from '../../support/peer-kubeconfig.ts';
import { peerAsk } from '../peer-calls.ts';
import { classOf, drawExtended, type ExtendedFact, type ExtendedFacts, ownClaim, pluginArgs, sliceOf } from './draw.ts';
import { told } from './told.ts';

const [kubeconfig = '', log = '', count = '40'] = process.argv.slice(2);
if (kubeconfig === 'config') {
  const profile = { schedulerName: 'default-scheduler', pluginConfig: Object.entries(pluginArgs).map(([name, args]) => ({ name, args })) };
  const clientConnection = { kubeconfig: log };
  const leaderElection = { leaderElect: false };
  const head = { apiVersion: 'kubescheduler.config.k8s.io/v1', kind: 'KubeSchedulerConfiguration' };
  console.log(JSON.stringify({ ...head, clientConnection, leaderElection, profiles: [profile] }));
  process.exit(0);
}
const ask = peerAsk(readPeerKubeconfig(kubeconfig));
const inDefault = '/api/v1/namespaces/default/pods';
const resource = '/apis/resource.k8s.io/v1';
const claimsPath = `${resource}/namespaces/default/resourceclaims`;
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function clear(): Promise<void> {
  await ask('DELETE', `${inDefault}?gracePeriodSeconds=0`);
  const { items } = await ask<{ readonly items: readonly ResourceClaim[] }>('GET', claimsPath);
  for (const { metadata } of items) {
    await ask('PATCH', `${claimsPath}/${metadata.name}/status`, { status: { allocation: null, reservedFor: null } });
    await ask('PATCH', `${claimsPath}/${metadata.name}`, { metadata: { finalizers: null } });
  }
  for (const path of [claimsPath, `${resource}/resourceslices`, `${resource}/deviceclasses`, '/api/v1/nodes']) await ask('DELETE', path);
  await sleep(500);
}

async function placed(name: string): Promise<Pod> {
  for (let i = 0; i < 100; i++) {
    const pod = await ask<Pod>('GET', `${inDefault}/${name}`);
    if (pod.spec?.nodeName !== undefined || pod.status?.conditions?.some(({ type, status }) => type === 'PodScheduled' && status === 'False'))
      return pod;
    await sleep(50);
  }
  throw new Error(`nothing was decided about ${name}`);
}

function scoresOf(pod: string, text: string): ExtendedFact['scores'] {
  const pattern = new RegExp(`final score for pod" pod="default/${pod}" node="([^"]+)" score=(-?[0-9]+)`, 'g');
  const found = [...text.matchAll(pattern)].map(([, node, score]) => [node ?? '', Number(score)] as const);
  return found.length === 0 ? undefined : Object.fromEntries(found.sort());
}

async function play(seed: number): Promise<ExtendedFacts> {
  const { nodes, classes, pods } = drawExtended(seed);
  for (const { name, plugin, devices } of nodes) {
    const amounts: JsonObject = { cpu: '4', memory: '16Gi', pods: '110', ...plugin };
    const labels = { 'kubernetes.io/hostname': name };
    const status = { allocatable: amounts, capacity: amounts };
    await ask('POST', '/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name, labels }, status });
    await ask('PATCH', `/api/v1/nodes/${name}`, { spec: { taints: null } });
    if (devices > 0) await ask('POST', `${resource}/resourceslices`, sliceOf(name, devices));
  }
  for (const [i, one] of classes.entries()) {
    if (i > 0) await sleep(1100);
    await ask('POST', `${resource}/deviceclasses`, classOf(one));
  }
  await sleep(300);
  const facts: ExtendedFact[] = [];
  for (const { name, spec, claims } of pods) {
    for (const claim of claims) await ask('POST', claimsPath, ownClaim(claim));
    await sleep(150);
    const from = readFileSync(log, 'utf8').length;
    await ask('POST', inDefault, { apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec });
    const pod = await placed(name);
    await sleep(150);
    const { items } = await ask<{ readonly items: readonly ResourceClaim[] }>('GET', claimsPath);
    facts.push(told(pod, items, scoresOf(name, readFileSync(log, 'utf8').slice(from))));
    if (pod.spec?.nodeName === undefined) await ask('DELETE', `${inDefault}/${name}?gracePeriodSeconds=0`);
  }
  await clear();
  return { seed, facts };
}

await clear();
const all: ExtendedFacts[] = [];
for (let seed = 1; seed <= Number(count); seed++) all.push(await play(seed));
writeFileSync(new URL('facts.json', import.meta.url), `[\n${all.map((one) => `  ${JSON.stringify(one)}`).join(',\n')}\n]\n`);
process.exit(0);
