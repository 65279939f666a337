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
import { areBuilt, OwnApiServer } from '../support/real-components.ts';

if (!areBuilt) console.log('skipped: the real control plane is not built here (shared/peers/build.sh control-plane)');

const dialect = mustGetDialect(presentRelease);
const pods = 20;
const situationsOfEach = 2;
const differing = Object.values(readDifferences(dialect)).flat();

/**
 * Those of each controller that come first. Not autoscaling, which needs a server of metrics, nor volumes: whether the real binder knows a class by the
 * time it sees the claim is a race on a busy machine, before a real API server too.
 */
const left = ['autoscaling', 'volumes'];
const played = groups
  .filter(({ controller }) => !left.includes(controller))
  .map(({ controller, situations }) => ({
    controller,
    situations: situations
      .filter(({ name, options }) => options.alone !== true && !differing.includes(`${controller}/${name}`))
      .slice(0, situationsOfEach),
  }));

async function startServer(): Promise<OwnApiServer> {
  const server = new OwnApiServer();
  await server.start();
  return server;
}

describe.skipIf(!areBuilt)('before our API server', () => {
  it('the real controller manager writes what it writes before a real one', { timeout: 600_000 }, async () => {
    const server = await startServer();
    const world = new PeerWorld(server.kubeconfig, dialect);
    const all = new Map<object, Played>();
    try {
      await server.startManager([]);
      await world.start();
      const chosen = played.flatMap(({ situations }) => situations);
      await playTogether(world, chosen, chosen.length, (one) => void all.set(one.situation, one));
    } finally {
      world.close();
      await server.stop();
    }
    const different = played.flatMap(({ controller, situations }) => {
      const facts = readFacts(controller, dialect);
      return situations.flatMap((situation) => {
        const lines = differencesOf(facts.get(situation.name) ?? [], all.get(situation)?.facts ?? []);
        return lines.length === 0 ? [] : [`${controller}/${situation.name}`, ...lines];
      });
    });
    expect(different).toEqual([]);
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
