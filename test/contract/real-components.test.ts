/**
 * The real controller manager and the real scheduler do their work before our API server, ours switched off: what they write there is
 * what they wrote before a real one. Runs where `shared/peers/build.sh control-plane` put them; some of what `npm run situations --
 * --real-manager` and `npm run decisions -- --own-server` play whole.
 */
import { describe, expect, it } from 'vitest';
import { drawCluster } from '../decisions/draw.ts';
import { PeerScheduler } from '../decisions/peer.ts';
import { replay } from '../decisions/replay.ts';
import { mustGetDialect, presentRelease } from '../situations/dialect.ts';
import { groups } from '../situations/groups.ts';
import { differencesOf, readDifferences, readFacts } from '../situations/judge.ts';
import { PeerWorld } from '../situations/peer-world.ts';
import { playTogether, type Played } from '../situations/play.ts';
import type { Situation } from '../situations/situation.ts';
import { areBuilt, OwnApiServer } from '../support/real-components.ts';

if (!areBuilt) console.log('skipped: the real control plane is not built here (shared/peers/build.sh control-plane)');

const dialect = mustGetDialect(presentRelease);
const pods = 20;
const situationsOfEach = 2;
/**
 * How often what came out otherwise is played. The real controllers run races (whether the last sync of Endpoints still knows a new ready
 * pod is one), and a starved machine loses them; what our API server answered otherwise comes out otherwise each time.
 */
const tries = 3;
const differing = Object.values(readDifferences(dialect)).flat();

/**
 * Those of each controller that come first. Not autoscaling, which needs a server of metrics, nor volumes: whether the real binder knows a class by the
 * time it sees the claim is a race on a busy machine, before a real API server too.
 */
const left = ['autoscaling', 'volumes'];
const played = groups
  .filter(({ controller }) => !left.includes(controller))
  .flatMap(({ controller, situations }) =>
    situations
      .filter(({ name, options }) => options.alone !== true && !differing.includes(`${controller}/${name}`))
      .slice(0, situationsOfEach)
      .map((situation) => ({ controller, situation })),
  );

interface Playable {
  readonly controller: string;
  readonly situation: Situation;
}

interface Differing extends Playable {
  readonly lines: readonly string[];
}

/** Side by side; those that came out otherwise than is recorded. */
async function playAll(world: PeerWorld, all: readonly Playable[]): Promise<readonly Differing[]> {
  const facts = new Map<Situation, Played['facts']>();
  await playTogether(
    world,
    all.map(({ situation }) => situation),
    all.length,
    (one) => void facts.set(one.situation, one.facts),
  );
  return all
    .map(({ controller, situation }) => {
      const recorded = readFacts(controller, dialect).get(situation.name) ?? [];
      return { controller, situation, lines: differencesOf(recorded, facts.get(situation) ?? []) };
    })
    .filter(({ lines }) => lines.length > 0);
}

async function startServer(): Promise<OwnApiServer> {
  const server = new OwnApiServer();
  await server.start();
  return server;
}

describe.skipIf(!areBuilt)('before our API server', () => {
  it('the real controller manager writes what it writes before a real one', { timeout: 600_000 }, async () => {
    const server = await startServer();
    const world = new PeerWorld(server.kubeconfig, dialect);
    let different: readonly Differing[] = [];
    try {
      await server.startManager([]);
      await world.start();
      different = await playAll(world, played);
      for (let again = 1; again < tries && different.length > 0; again++) different = await playAll(world, different);
    } finally {
      world.close();
      await server.stop();
    }
    expect(different.map(({ controller, situation, lines }) => [`${controller}/${situation.name}`, ...lines])).toEqual([]);
  });

  it('the real scheduler decides as ours does', { timeout: 300_000 }, async () => {
    const server = await startServer();
    try {
      await server.startManager(['--controllers=serviceaccount-controller']);
      await server.startScheduler();
      const peer = new PeerScheduler(server.kubeconfig, server.schedulerLog);
      await peer.start();
      const facts = await peer.play(drawCluster(1, pods));
      peer.close();
      expect(facts.facts).toHaveLength(pods);
      expect(await replay(facts)).toEqual([]);
    } finally {
      await server.stop();
    }
  });
});
