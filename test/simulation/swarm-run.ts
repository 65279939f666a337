/**
 * One run of the swarm: a cluster, themes and acts drawn from the seed, checkers and clients beside them, a restore in the middle, then
 * healing and rest. Each seed plays a few themes only, so that what belongs together meets often.
 */
import type { DaemonSet } from '../../engine/api/apps/v1/types.gen.ts';
import type { Node, Pod } from '../../engine/api/core/v1/types.gen.ts';
import { Random } from '../../engine/base/random.ts';
import { madeCluster, type TestCluster, testConfig } from '../support/cluster.ts';
import { releaseAll } from './acts/belonging.ts';
import { firstThemes, themes } from './acts/index.ts';
import { scaling } from './acts/scaling.ts';
import { outages } from './acts/outages.ts';
import { Checkers } from './checkers/checker.ts';
import { allCheckers } from './checkers/index.ts';
import type { Bystander } from './clients/client.ts';
import { allClients } from './clients/index.ts';
import { apps, ask, merge, pathOf, pick, sim, type Swarm, type Theme } from './draw.ts';
import { Promises } from './promises.ts';
import type { World } from './world.ts';

export interface SwarmOptions {
  readonly seed: number;
  readonly minutes: number;
  /** Absent: drawn from the seed. */
  readonly nodes?: number;
  /** Only what seeds drew from at first: what mutations are tried with, so that each stays caught by its seed. */
  readonly first?: boolean;
}

export interface SwarmResult {
  readonly digest: string;
  readonly violations: readonly string[];
  readonly refusals: ReadonlyMap<string, number>;
  readonly revisions: number;
  readonly themes: readonly string[];
}

const themesMax = 4;
const actsAtOnce = 3;
const waitMsMax = 8_000;
/** Now and then long enough for everything to settle. */
const longWaitMs = 40_000;
/** Longest of: a fault, its grace period and tolerations, back-off of pulls and crashes. */
const restMs = 10 * 60_000;
/** How far a restored cluster is followed beside the original. */
const twinMs = 100_000;

export async function runSwarm({ seed, minutes, nodes, first = false }: SwarmOptions): Promise<SwarmResult> {
  const chance = new Random(seed).stream('swarm');
  const below = (bound: number): number => chance.integer(bound);
  const played = drawThemes(below, first ? firstThemes : themes);
  const largeZone = 2 + below(3);
  const config = {
    seed,
    nodes: nodes ?? (played.includes(outages) ? 8 + below(3) : 4 + below(6)),
    zones: 2,
    startMs: testConfig().startMs,
    options: { 'large-cluster-size-threshold': String(largeZone), ...(played.includes(scaling) ? { 'cloud-provider': 'wavetank' } : {}) },
  };
  const made = madeCluster(config);
  const promises = new Promises();
  const checkers = new Checkers(made.cluster, allCheckers({ promises, largeZone }));
  await made.cluster.start();
  const refusals = new Map<string, number>();
  const swarm: Swarm = { made, world: checkers.world, promises, below, refusals, complain: (name, text) => checkers.note(name, [text]) };
  const clients = allClients();
  for (const { begin } of played) begin?.(swarm);
  const endMs = made.cluster.loop.nowMs() + minutes * 60_000;
  const twinAtMs = made.cluster.loop.nowMs() + below(minutes * 60_000);
  let twinned = false;
  const isTelling = tellingMoments[seed % tellingMoments.length] as (world: World) => boolean;
  while (made.cluster.loop.nowMs() < endMs && checkers.violations.length === 0) {
    for (let act = 0; act < (first ? 1 : actsAtOnce); act++) pick(swarm, pick(swarm, played).acts)(swarm);
    await step(swarm, checkers, clients, below(10) === 0 ? longWaitMs : below(waitMsMax));
    if (twinned || (made.cluster.loop.nowMs() < twinAtMs && !isTelling(swarm.world))) continue;
    twinned = true;
    await compareWithTwin(swarm, config);
    checkers.inspect();
  }
  if (checkers.violations.length === 0) await rest(swarm, checkers, clients);
  const { digest, store } = made.cluster;
  return { digest, violations: checkers.violations, refusals, revisions: store.currentRevision(), themes: played.map(({ name }) => name) };
}

function drawThemes(below: Swarm['below'], all: readonly Theme[]): readonly Theme[] {
  const left = [...all];
  return Array.from({ length: themesMax }, () => left.splice(below(left.length), 1)[0] as Theme);
}

async function step({ made, ...swarm }: Swarm, checkers: Checkers, clients: readonly Bystander[], waitMs: number): Promise<void> {
  await made.advance(waitMs);
  // Now and then nothing is in flight: what caches hold can be compared then.
  if (swarm.below(4) === 0) await made.quiet();
  for (const client of clients) client.step({ made, ...swarm });
  checkers.inspect();
}

/** Moments at which a checkpoint must carry over what nothing else tells: nodes that wait for their taint, pods that wait for their eviction. */
const tellingMoments: readonly ((world: World) => boolean)[] = [
  (world) => world.all<Node>('minions').filter((node) => !isReady(node)).length > 1,
  (world) => {
    const tainted = world.all<Node>('minions').filter(({ spec }) => spec?.taints?.some(({ key, effect }) => key === 'odd' && effect === 'NoExecute'));
    const names = new Set(tainted.map(({ metadata }) => metadata.name));
    const isPatient = ({ spec }: Pod): boolean =>
      spec?.tolerations?.some(({ key, tolerationSeconds }) => key === 'odd' && tolerationSeconds) === true;
    return world.all<Pod>('pods').some((pod) => names.has(pod.spec?.nodeName) && pod.metadata.deletionTimestamp === undefined && isPatient(pod));
  },
];

function isReady({ status }: Node): boolean {
  return status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value !== 'True') !== true;
}

/** Law 9: a cluster restored here goes on with the same history. */
async function compareWithTwin(swarm: Swarm, config: Parameters<typeof madeCluster>[0]): Promise<void> {
  const { made } = swarm;
  await made.quiet();
  const twin: TestCluster = madeCluster(config);
  twin.cluster.restore(JSON.parse(JSON.stringify(made.cluster.save())));
  const untilMs = made.cluster.loop.nowMs() + twinMs;
  await made.cluster.loop.run(untilMs);
  await twin.cluster.loop.run(untilMs);
  if (twin.cluster.digest !== made.cluster.digest)
    swarm.complain('a checkpoint goes on', `the restored cluster went another way within ${twinMs} ms`);
}

/** Everything is healed and let go; what is left must be right. */
async function rest(swarm: Swarm, checkers: Checkers, clients: readonly Bystander[]): Promise<void> {
  for (const { metadata } of swarm.world.all('sim.wavetank.dev/faults')) ask(swarm, 'DELETE', `${sim}/faults/${metadata.name}`);
  for (const { metadata } of swarm.world.all('cronjobs'))
    ask(
      swarm,
      'PATCH',
      `/apis/batch/v1/namespaces/${metadata.namespace}/cronjobs/${metadata.name}`,
      { spec: { suspend: true } },
      'application/merge-patch+json',
    );
  noMoreSurge(swarm);
  releaseAll(swarm);
  await swarm.made.advance(restMs);
  releaseAll(swarm);
  await step(swarm, checkers, clients, restMs / 3);
  await swarm.made.quiet();
  checkers.atRest();
}

/**
 * What an operator does about a daemon that surges where the kubelet refuses it (pressure lasts five minutes beyond its cause): a real
 * controller then makes a pod for each refusal, 168 of them in 20 seconds when it was asked, since failed pods that wait for their
 * back-off do not count as being there.
 */
function noMoreSurge(swarm: Swarm): void {
  for (const set of swarm.world.all<DaemonSet>('daemonsets')) {
    const { maxSurge } = set.spec?.updateStrategy?.rollingUpdate ?? {};
    if (maxSurge === undefined || maxSurge === 0) continue;
    const rollingUpdate = { maxSurge: 0, maxUnavailable: 1 };
    ask(swarm, 'PATCH', pathOf(apps, 'daemonsets', set), { spec: { updateStrategy: { rollingUpdate } } }, merge);
  }
}
