/**
 * `npm run situations`: plays situations in clusters of ours and compares what the controllers wrote with the recorded facts.
 *   --peer            plays them in the real control plane too and compares with that, and not with the records
 *   --real-manager    plays them in our API server with the real controller manager before it, and compares with the records
 *   --record          writes what the real control plane did into facts/; with --again what is there stays, and another outcome is added
 *   --kubeconfig FILE a real control plane that runs already; else the script of --control-plane (or $CONTROL_PLANE) brings one up on --port and takes it down
 *   --release groups  plays with the gates that are about groups of pods on
 *   --release 1.13    plays in that release: what it can express, against a real control plane of it (old-apiserver.sh)
 *   --only PATTERN    situations whose `controller/name` matches; --jobs N side by side in the real one; --show prints all facts
 * One that runs already has the flags that are said below.
 * The last line says `equal=N of N`.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { groupsDialect, mustGetDialect, presentRelease } from './dialect.ts';
import { type Fact, factLines } from './facts.ts';
import { groupsOf } from './groups.ts';
import { OwnApiServer } from '../support/real-components.ts';
import { differencesOf, readFacts, writeFacts } from './judge.ts';
import { PeerWorld } from './peer-world.ts';
import { playOurs, playTogether, type Played } from './play.ts';
import type { Situation } from './situation.ts';
import { scriptOptions } from '../../build/script-options.ts';

const { values } = scriptOptions(import.meta.filename, {
  options: {
    peer: { type: 'boolean' },
    record: { type: 'boolean' },
    again: { type: 'boolean' },
    'real-manager': { type: 'boolean' },
    release: { type: 'string', default: presentRelease },
    kubeconfig: { type: 'string' },
    'control-plane': { type: 'string' },
    port: { type: 'string', default: '21400' },
    only: { type: 'string', default: '' },
    jobs: { type: 'string', default: '20' },
    show: { type: 'boolean' },
  },
});

/** So that autoscaling is seen in seconds; as in a cluster of ours. */
const managerFlags = '--horizontal-pod-autoscaler-sync-period=1s --horizontal-pod-autoscaler-downscale-stabilization=5s';
/** As long as etcd takes, about: what is written one after the other within our server's one millisecond reaches the real controllers at once. */
const commitMs = 20;
const dialect = mustGetDialect(values.release);
const isPresent = dialect.release === presentRelease;

interface Case {
  readonly id: string;
  readonly controller: string;
  readonly situation: Situation;
}

const pattern = new RegExp(values.only);
const cases: readonly Case[] = groupsOf(dialect)
  .flatMap(({ controller, situations }) => situations.map((situation) => ({ id: `${controller}/${situation.name}`, controller, situation })))
  .filter(({ id }) => pattern.test(id));
if (cases.length === 0) throw new Error(`no situation is called like ${values.only}`);

/** Clients of ours have as much, and so have those of the script of the present. */
const flags = (options: Readonly<Record<string, string>>): string =>
  Object.entries(options)
    .map(([name, value]) => `--${name}=${value}`)
    .join(' ');
const env = {
  ...process.env,
  API_FLAGS: flags(dialect.options()),
  SCHED_FLAGS: flags(dialect.options(false)),
  KCM_FLAGS: `${managerFlags} ${flags(dialect.options(false))}`,
  OLD_KCM: `--kube-api-qps=500 --kube-api-burst=1000 ${managerFlags}`,
};

/** Plays all chosen situations in the real control plane. */
async function playPeer(): Promise<ReadonlyMap<Situation, Played>> {
  const standard = join(import.meta.dirname, '../../../shared/peers', isPresent ? 'control-plane.sh' : 'old-apiserver.sh');
  const script = values['control-plane'] ?? process.env['CONTROL_PLANE'] ?? standard;
  const kubeconfig = values.kubeconfig ?? execFileSync(script, ['kubeconfig'], { encoding: 'utf8' }).trim();
  if (values.kubeconfig === undefined)
    execFileSync(script, ['up', values.port, ...(dialect.name === groupsDialect ? ['--scheduler'] : [])], { stdio: 'inherit', env });
  try {
    return await playAt(kubeconfig);
  } finally {
    if (values.kubeconfig === undefined) execFileSync(script, ['down'], { stdio: 'inherit' });
  }
}

/** Plays them in our API server with the real controller manager. */
async function playMixed(): Promise<ReadonlyMap<Situation, Played>> {
  if (!isPresent) throw new Error(`--real-manager plays in release ${presentRelease} only`);
  const server = new OwnApiServer();
  await server.start();
  await server.startManager(managerFlags.split(' '));
  try {
    const all = await playAt(server.kubeconfig, commitMs);
    for (const line of server.complaints()) console.log(`complains: ${line}`);
    return all;
  } finally {
    await server.stop();
  }
}

async function playAt(kubeconfig: string, commitMs?: number): Promise<ReadonlyMap<Situation, Played>> {
  const world = new PeerWorld(kubeconfig, dialect, commitMs);
  try {
    await world.start();
    const all = new Map<Situation, Played>();
    const chosen = cases.map(({ situation }) => situation);
    await playTogether(world, chosen, Number(values.jobs), (played) => {
      all.set(played.situation, played);
      if (all.size % 25 === 0) console.log(`played ${all.size} of ${chosen.length}`);
    });
    return all;
  } finally {
    world.close();
  }
}

/** A situation that waits in vain is no situation, and is not recorded; an older release may have nothing to wait for, and that is a fact. */
function record(played: ReadonlyMap<Situation, Played>): void {
  for (const { controller, situations } of groupsOf(dialect)) {
    const facts = new Map<string, readonly Fact[]>();
    for (const situation of situations) {
      const { facts: found, lacking } = played.get(situation) ?? {};
      const stuck = found?.find(({ of }) => of === 'stuck');
      if (lacking !== undefined) console.log(`INEXPRESSIBLE ${controller}/${situation.name}: ${lacking}`);
      if (stuck !== undefined) console.log(`STUCK ${controller}/${situation.name}: ${JSON.stringify(stuck.fact)}`);
      if (found !== undefined && (stuck === undefined || !isPresent)) facts.set(situation.name, found);
    }
    const known = situations.map(({ name }) => name);
    if (facts.size > 0) writeFacts(controller, dialect, facts, { known, adds: values.again === true });
  }
}

async function main(): Promise<void> {
  const peer = values.peer === true || values.record === true ? await playPeer() : undefined;
  if (peer !== undefined && values.record === true) record(peer);
  const mixed = values['real-manager'] === true ? await playMixed() : undefined;
  let equal = 0;
  let compared = 0;
  for (const { id, controller, situation } of cases) {
    const told = peer?.get(situation)?.facts;
    const wanted = told === undefined ? readFacts(controller, dialect).get(situation.name) : [told];
    if (wanted === undefined && !isPresent) continue;
    compared++;
    const { facts = [], lacking } = mixed?.get(situation) ?? (await playOurs(situation, dialect));
    if (lacking !== undefined) console.log(`    ${lacking}`);
    const differences = differencesOf(wanted ?? [], facts);
    if (differences.length === 0) equal++;
    console.log(`${differences.length === 0 ? 'equal ' : 'DIFFER'} ${id}`);
    for (const line of differences) console.log(`    ${line}`);
    if (values.show === true) for (const line of factLines(wanted?.[0] ?? facts)) console.log(`      ${line}`);
  }
  console.log(`equal=${equal} of ${compared}`);
  if (equal < compared) process.exitCode = 1;
}

await main();
process.exit();
