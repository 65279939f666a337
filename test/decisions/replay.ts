/** The same questions put to our scheduler, in a cluster that follows the recorded decisions. */
import { isDeepStrictEqual } from 'node:util';
import type { PersistentVolume, Pod } from '../../engine/api/core/v1/types.gen.ts';
import type { ResourceClaim } from '../../engine/api/resource/v1/types.gen.ts';
import type { KubeObject } from '../../engine/apimachinery/object.ts';
import type { ResourceType } from '../../engine/client/client.ts';
import * as resources from '../../engine/client/resources.ts';
import { scoresByNode, type DecisionRecord } from '../../engine/scheduler/decision.ts';
import { SchedulerBench } from '../../engine/scheduler/testing/scheduler-bench.ts';
import { type Drawn, type DrawnCluster, drawCluster, type DrawnPod, namespaces, priorityClasses, startOfPlaced, startOfPod } from './draw.ts';
import type { ClusterFacts, DecisionFact } from './facts.ts';

export interface Difference {
  readonly seed: number;
  readonly pod: string;
  readonly what: 'place' | 'text' | 'scores' | 'victims' | 'devices';
  readonly wanted: unknown;
  readonly found: unknown;
}

const types: Readonly<Record<string, ResourceType>> = {
  Node: resources.nodes,
  Pod: resources.pods,
  Service: resources.services,
  PersistentVolume: resources.persistentVolumes,
  PersistentVolumeClaim: resources.persistentVolumeClaims,
  StorageClass: resources.storageClasses,
  CSINode: resources.csiNodes,
  PodDisruptionBudget: resources.podDisruptionBudgets,
  ResourceClaim: resources.resourceClaims,
  DeviceClass: resources.deviceClasses,
  ResourceSlice: resources.resourceSlices,
};

/** One difference a pod at most. */
export async function replay({ seed, pods, facts }: ClusterFacts): Promise<readonly Difference[]> {
  const drawn = drawCluster(seed, pods);
  const bench = begin(drawn);
  await bench.advance(1000);
  const differences: Difference[] = [];
  for (const [i, fact] of facts.entries()) {
    const difference = await one(bench, drawn.pods[i] as DrawnPod, fact, startOfPod(i));
    if (difference !== undefined) differences.push({ seed, pod: fact.pod, ...difference });
  }
  return differences;
}

function begin({ objects }: DrawnCluster): SchedulerBench {
  const bench = new SchedulerBench();
  for (const name of namespaces) bench.add(resources.namespaces, { metadata: { name, labels: name === 'red' ? { team: 'x' } : {} } });
  let placed = 0;
  for (const object of objects) put(bench, object.kind === 'Pod' ? { ...object, status: { startTime: startOfPlaced(placed++) } } : object);
  return bench;
}

function put(bench: SchedulerBench, object: Drawn): void {
  const type = types[object.kind];
  if (type === undefined) throw new Error(`${object.kind} is not played`);
  bench.add(type, (object.kind === 'Pod' ? withPriority(object) : object) as unknown as KubeObject);
}

/** As admission does. */
function withPriority(pod: Drawn): Drawn {
  const spec = pod['spec'] as Record<string, unknown>;
  const found = priorityClasses.find(({ metadata }) => metadata.name === spec['priorityClassName']);
  const preemptionPolicy = found?.['preemptionPolicy'] ?? 'PreemptLowerPriority';
  return { ...pod, spec: { schedulerName: 'default-scheduler', ...spec, priority: found?.['value'] ?? 0, preemptionPolicy } };
}

async function one(
  bench: SchedulerBench,
  { pod, with: before }: DrawnPod,
  fact: DecisionFact,
  startTime: string,
): Promise<Omit<Difference, 'seed' | 'pod'> | undefined> {
  for (const object of before) put(bench, object);
  const from = bench.decisions.length;
  put(bench, pod);
  for (let i = 0; i < 20 && !bench.decisions.slice(from).some(({ pod: key }) => key === fact.pod); i++) await bench.advance(50);
  const decision = bench.decisions.slice(from).find(({ pod: key }) => key === fact.pod);
  const { name, namespace = '' } = pod.metadata;
  await bench.advance(200);
  const claim = bench.get<ResourceClaim>(resources.resourceClaims, namespace, `${name}-d`);
  const devices = (claim?.status?.allocation?.devices?.results ?? []).map(({ request, pool, device }) => `${request}=${pool}/${device}`);
  const difference = compare(fact, decision, devices);
  await follow(bench, { ...pod, status: { startTime } }, fact, claim, devices);
  return difference;
}

function compare(fact: DecisionFact, decision: DecisionRecord | undefined, devices: readonly string[]): Omit<Difference, 'seed' | 'pod'> | undefined {
  const { node, message } = decision ?? {};
  if (fact.node === undefined) {
    if (node !== undefined || anyDevice(message) !== anyDevice(fact.message))
      return { what: 'text', wanted: fact.message, found: node === undefined ? message : `on ${node}` };
    const victims =
      decision?.preemption === undefined ? undefined : { nominated: decision.preemption.node, victims: decision.preemption.victims.toSorted() };
    const wanted = fact.nominated === undefined ? undefined : { nominated: fact.nominated, victims: fact.victims ?? [] };
    return isDeepStrictEqual(victims, wanted) ? undefined : { what: 'victims', wanted, found: victims };
  }
  const totals = decision?.scores === undefined ? undefined : totalsOf(decision.scores);
  if (node === undefined) return { what: 'text', wanted: `on ${fact.node}`, found: message ?? 'nothing' };
  if (!isDeepStrictEqual(totals, fact.scores))
    return {
      what: 'scores',
      wanted: fact.scores,
      found: totals === undefined ? `only ${node}` : scoresByNode(decision?.scores as NonNullable<DecisionRecord['scores']>),
    };
  const best = totals === undefined ? [node] : Object.keys(totals).filter((one) => totals[one] === Math.max(...Object.values(totals)));
  if (!best.includes(fact.node)) return { what: 'place', wanted: fact.node, found: best };
  return node === fact.node && fact.devices !== undefined && !isDeepStrictEqual(devices, fact.devices)
    ? { what: 'devices', wanted: fact.devices, found: devices }
    : undefined;
}

/** Upstream looks at nodes side by side: which device it stumbles over first is not decided. */
function anyDevice(text: string | undefined): string | undefined {
  return text?.replace(/cannot add device [^ ]+ because/, 'cannot add device … because');
}

function totalsOf(scores: NonNullable<DecisionRecord['scores']>): { readonly [node: string]: number } {
  const byNode = scoresByNode(scores);
  return Object.fromEntries(
    Object.entries(byNode)
      .map(([node, plugins]) => [node, Object.values(plugins).reduce((sum, one) => sum + one, 0)] as const)
      .sort(),
  );
}

/** Makes the bench what the real cluster was after that decision. */
async function follow(
  bench: SchedulerBench,
  pod: Drawn,
  fact: DecisionFact,
  claim: ResourceClaim | undefined,
  devices: readonly string[],
): Promise<void> {
  const { name, namespace = '' } = pod.metadata;
  const isThere = (key: string): boolean => bench.get<Pod>(resources.pods, key.split('/')[0], key.split('/')[1] ?? '') !== undefined;
  const isAsRecorded =
    fact.node !== undefined && fact.waits !== true && bench.get<Pod>(resources.pods, namespace, name)?.spec?.nodeName === fact.node;
  if (!isAsRecorded && isThere(fact.pod)) bench.remove(resources.pods, namespace, name);
  for (const victim of fact.victims ?? []) if (isThere(victim)) bench.remove(resources.pods, victim.split('/')[0], victim.split('/')[1] ?? '');
  await bench.advance(200);
  if (isAsRecorded)
    bench.change<Pod>(resources.pods, namespace, name, (old) => ({ ...old, status: { ...old.status, ...(pod['status'] as object) } }));
  else if (fact.node !== undefined && fact.waits !== true) put(bench, { ...pod, spec: { ...(pod['spec'] as object), nodeName: fact.node } });
  if (fact.waits === true) takeVolume(bench, namespace, `${name}-v`, fact.volume);
  // What a waiting pod was given is not recorded; it was given the same as here.
  if (claim !== undefined && fact.waits !== true && !isDeepStrictEqual(devices, fact.devices ?? [])) {
    const results = (fact.devices ?? []).map((text) => {
      const [request = '', pool = '', device = ''] = text.split(/[=/](?=[^=]*$)|=/);
      return { request, driver: 'gpu.example.com', pool, device };
    });
    bench.change(resources.resourceClaims, namespace, `${name}-d`, (old) => ({
      ...old,
      status: results.length === 0 ? {} : { allocation: { devices: { results } } },
    }));
  }
  await bench.advance(1000);
}

/** The volume that the real cluster took goes; one that was promised here instead is free again. */
function takeVolume(bench: SchedulerBench, namespace: string, claim: string, recorded: string | undefined): void {
  for (const { metadata, spec } of bench.list<PersistentVolume>(resources.persistentVolumes)) {
    const { name = '' } = metadata;
    if (name === recorded) bench.remove(resources.persistentVolumes, undefined, name);
    else if (spec?.claimRef?.namespace === namespace && spec.claimRef.name === claim)
      bench.change<PersistentVolume>(resources.persistentVolumes, undefined, name, ({ spec: held, ...old }) => {
        const { claimRef: _, ...rest } = held ?? {};
        return { ...old, spec: rest };
      });
  }
}
