/**
 * `npm run situations`: plays situations in clusters of ours and compares what the controllers wrote with the recorded facts.
 *   --peer            plays them in the real control plane too and compares with that, and not with the records
 *   --record          writes what the real control plane did into facts/
 *   --kubeconfig FILE a real control plane that runs already; else the script of --control-plane (or $CONTROL_PLANE) brings one up on --port and takes it down
 *   --only PATTERN    situations whose `controller/name` matches; --jobs N side by side in the real one; --show prints all facts
 * The last line says `equal=N of N`.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Fact } from './facts.ts';
import { factLines } from './facts.ts';
import { groups } from './groups.ts';
import { differencesOf, readFacts, writeFacts } from './judge.ts';
import { PeerWorld } from './peer-world.ts';
import { playOurs, playTogether } from './play.ts';
import type { Situation } from './situation.ts';

const { values } = parseArgs({
  options: {
    peer: { type: 'boolean' },
    record: { type: 'boolean' },
    kubeconfig: { type: 'string' },
    'control-plane': { type: 'string', default: process.env['CONTROL_PLANE'] ?? join(import.meta.dirname, '../../../shared/peers/control-plane.sh') },
    port: { type: 'string', default: '21400' },
    only: { type: 'string', default: '' },
    jobs: { type: 'string', default: '20' },
    show: { type: 'boolean' },
  },
});

interface Case {
  readonly id: string;
  readonly controller: string;
  readonly situation: Situation;
}

const pattern = new RegExp(values.only);
const cases: readonly Case[] = groups
  .flatMap(({ controller, situations }) => situations.map((situation) => ({ id: `${controller}/${situation.name}`, controller, situation })))
  .filter(({ id }) => pattern.test(id));
if (cases.length === 0) throw new Error(`no situation is called like ${values.only}`);

/** Plays all chosen situations in the real control plane. */
async function playPeer(): Promise<ReadonlyMap<Situation, readonly Fact[]>> {
  const script = values['control-plane'];
  const kubeconfig = values.kubeconfig ?? execFileSync(script, ['kubeconfig'], { encoding: 'utf8' }).trim();
  if (values.kubeconfig === undefined) execFileSync(script, ['up', values.port], { stdio: 'inherit' });
  const world = new PeerWorld(kubeconfig);
  try {
    await world.start();
    const facts = new Map<Situation, readonly Fact[]>();
    const chosen = cases.map(({ situation }) => situation);
    await playTogether(world, chosen, Number(values.jobs), (played) => void facts.set(played.situation, played.facts));
    return facts;
  } finally {
    world.close();
    if (values.kubeconfig === undefined) execFileSync(script, ['down'], { stdio: 'inherit' });
  }
}

/** A situation that waits in vain is no situation, and is not recorded. */
function record(played: ReadonlyMap<Situation, readonly Fact[]>): void {
  for (const { controller, situations } of groups) {
    const facts = new Map<string, readonly Fact[]>();
    for (const situation of situations) {
      const found = played.get(situation);
      const stuck = found?.find(({ of }) => of === 'stuck');
      if (stuck !== undefined) console.log(`STUCK ${controller}/${situation.name}: ${JSON.stringify(stuck.fact)}`);
      else if (found !== undefined) facts.set(situation.name, found);
    }
    const names = situations.map(({ name }) => name);
    if (facts.size > 0) writeFacts(controller, facts, names);
  }
}

async function main(): Promise<void> {
  const peer = values.peer === true || values.record === true ? await playPeer() : undefined;
  if (peer !== undefined && values.record === true) record(peer);
  let equal = 0;
  for (const { id, controller, situation } of cases) {
    const wanted = peer?.get(situation) ?? readFacts(controller).get(situation.name);
    const facts = await playOurs(situation);
    const differences = wanted === undefined ? ['- nothing is recorded'] : differencesOf(wanted, facts);
    if (differences.length === 0) equal++;
    console.log(`${differences.length === 0 ? 'equal ' : 'DIFFER'} ${id}`);
    for (const line of differences) console.log(`    ${line}`);
    if (values.show === true) for (const line of factLines(wanted ?? facts)) console.log(`      ${line}`);
  }
  console.log(`equal=${equal} of ${cases.length}`);
  if (equal < cases.length) process.exitCode = 1;
}

await main();
process.exit();
