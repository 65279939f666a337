/**
 * `node build/with-node.mjs test/decisions/points/record.ts KUBECONFIG` puts the pods of `world.ts` before a real scheduler, which
 * runs with the configuration that `record.ts config KUBECONFIG` prints (API server beside it, no controllers), and keeps in `facts.json`
 * what it told them.
 */
import { writeFileSync } from 'node:fs';
import type { Pod } from '../../../engine/api/core/v1/types.gen.ts';
import type { ResourceClaim } from '../../../engine/api/resource/v1/types.gen.ts';
import { readPeerKubeconfig } from '../../support/peer-kubeconfig.ts';
import { peerAsk } from '../peer-calls.ts';
import { claimOfDevices, claimOfVolume, deviceClass, nodeNames, nodeOf, podOf, type PointFact, profiles, slice, told, volume } from './world.ts';

const [first = '', second = ''] = process.argv.slice(2);
if (first === 'config') {
  const head = { apiVersion: 'kubescheduler.config.k8s.io/v1', kind: 'KubeSchedulerConfiguration' };
  const written = profiles.map(({ schedulerName, plugins = {} }) => ({
    schedulerName,
    plugins: Object.fromEntries(
      Object.entries(plugins).map(([point, { disabled = [] }]) => [point, { disabled: disabled.map((name) => ({ name })) }]),
    ),
  }));
  console.log(JSON.stringify({ ...head, clientConnection: { kubeconfig: second }, leaderElection: { leaderElect: false }, profiles: written }));
  process.exit(0);
}
const ask = peerAsk(readPeerKubeconfig(first));
const inDefault = '/api/v1/namespaces/default';
const resource = '/apis/resource.k8s.io/v1';
const waitMs = 4000;

async function prepare(): Promise<void> {
  await ask('POST', `${inDefault}/serviceaccounts`, { metadata: { name: 'default' } });
  for (const name of nodeNames) {
    const { labels, taints } = nodeOf(name);
    const allocatable = { cpu: '4', memory: '16Gi', pods: '110' };
    await ask('POST', '/api/v1/nodes', { metadata: { name, labels }, status: { allocatable, capacity: allocatable } });
    await ask('PATCH', `/api/v1/nodes/${name}`, { spec: { taints } });
  }
  await ask('POST', `${inDefault}/persistentvolumeclaims`, claimOfVolume);
  const { metadata } = await ask<Pod>('GET', `${inDefault}/persistentvolumeclaims/volume`);
  await ask('PATCH', `${inDefault}/persistentvolumeclaims/volume/status`, { status: claimOfVolume.status });
  const { spec, ...rest } = volume;
  await ask('POST', '/api/v1/persistentvolumes', { ...rest, spec: { ...spec, claimRef: { ...spec.claimRef, uid: metadata.uid } } });
  await ask('PATCH', '/api/v1/persistentvolumes/volume/status', { status: volume.status });
  await ask('POST', `${resource}/deviceclasses`, deviceClass);
  await ask('POST', `${resource}/resourceslices`, slice);
  await ask('POST', `${resource}/namespaces/default/resourceclaims`, claimOfDevices);
}

async function play(kind: 'plain' | 'rich', schedulerName: string): Promise<string> {
  const name = `${kind}-${schedulerName}`;
  await ask('POST', `${inDefault}/pods`, { metadata: { name, labels: { app: kind } }, spec: podOf(kind, schedulerName) });
  const endMs = Date.now() + waitMs;
  let fact = told(undefined, undefined);
  while (fact === 'not tried' && Date.now() < endMs) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    const { spec, status } = await ask<Pod>('GET', `${inDefault}/pods/${name}`);
    fact = told(spec?.nodeName, status?.conditions?.find(({ type, status: state }) => type === 'PodScheduled' && state === 'False')?.message);
  }
  await ask('DELETE', `${inDefault}/pods/${name}?gracePeriodSeconds=0`);
  const claim = `${resource}/namespaces/default/resourceclaims/devices`;
  const { status } = await ask<ResourceClaim>('GET', claim);
  if (status?.allocation !== undefined) await ask('PATCH', `${claim}/status`, { status: { allocation: null, reservedFor: null } });
  return fact;
}

await prepare();
const facts: PointFact[] = [];
for (const { title, schedulerName } of profiles)
  facts.push({ profile: title, plain: await play('plain', schedulerName), rich: await play('rich', schedulerName) });
writeFileSync(new URL('facts.json', import.meta.url), `[\n${facts.map((fact) => `  ${JSON.stringify(fact)}`).join(',\n')}\n]\n`);
process.exit(0);
