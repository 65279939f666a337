/**
 * `npm run decisions`: puts pods of drawn clusters before our scheduler and compares what it decides with what the real one did.
 *   --record          plays --clusters clusters from --seed on, of --pods pods each, to the real scheduler and adds what it decided to the facts
 *   --kubeconfig FILE --log FILE   a real control plane that runs already, with its scheduler's log (-v=10)
 *   --own-server      the real scheduler before our API server: plays as --record does, keeps nothing, and compares our scheduler with that
 *   --facts FILE      other facts than the ones that are kept here
 *   --only SEED       that cluster alone; --show prints each difference
 * The last line says `equal=N of N`.
 */
import { drawCluster } from './draw.ts';
import { type ClusterFacts, readFacts, writeFacts } from './facts.ts';
import { OwnApiServer } from '../support/real-components.ts';
import { PeerScheduler } from './peer.ts';
import { replay } from './replay.ts';
import { scriptOptions } from '../../build/script-options.ts';

const { values } = scriptOptions(import.meta.filename, {
  options: {
    record: { type: 'boolean' },
    'own-server': { type: 'boolean' },
    kubeconfig: { type: 'string', default: '' },
    log: { type: 'string', default: '' },
    seed: { type: 'string', default: '1' },
    clusters: { type: 'string', default: '10' },
    pods: { type: 'string', default: '20' },
    facts: { type: 'string' },
    only: { type: 'string' },
    show: { type: 'boolean' },
  },
});

async function record(): Promise<void> {
  const peer = new PeerScheduler(values.kubeconfig, values.log);
  await peer.start();
  const kept = new Map(readFacts(values.facts).map((facts) => [facts.seed, facts]));
  try {
    for (let seed = Number(values.seed); seed < Number(values.seed) + Number(values.clusters); seed++) {
      kept.set(seed, await peer.play(drawCluster(seed, Number(values.pods))));
      if (seed % 10 === 0) writeFacts([...kept.values()], values.facts);
    }
  } finally {
    writeFacts([...kept.values()], values.facts);
    peer.close();
  }
}

/** The real scheduler, with what our API server tells it. */
async function playBeforeOurs(): Promise<readonly ClusterFacts[]> {
  const server = new OwnApiServer();
  await server.start();
  try {
    // Pods need the service account of their namespace; whoever else wrote would change what the scheduler sees.
    await server.startManager(['--controllers=serviceaccount-controller']);
    await server.startScheduler();
    const peer = new PeerScheduler(server.kubeconfig, server.schedulerLog);
    await peer.start();
    const first = Number(values.seed);
    const played: ClusterFacts[] = [];
    for (let seed = first; seed < first + Number(values.clusters); seed++) played.push(await peer.play(drawCluster(seed, Number(values.pods))));
    peer.close();
    for (const line of server.complaints()) console.log(`complains: ${line}`);
    return played;
  } finally {
    await server.stop();
  }
}

async function judge(all: readonly ClusterFacts[]): Promise<void> {
  let decisions = 0;
  let different = 0;
  for (const facts of all) {
    decisions += facts.facts.length;
    const differences = await replay(facts);
    different += differences.length;
    if (values.show === true) for (const one of differences) console.log(JSON.stringify(one));
  }
  console.log(`equal=${decisions - different} of ${decisions}`);
  if (different > 0) process.exitCode = 1;
}

if (values['own-server'] === true) await judge(await playBeforeOurs());
else {
  if (values.record === true) await record();
  await judge(readFacts(values.facts).filter(({ seed }) => values.only === undefined || seed === Number(values.only)));
}
