/** Plays situations, in clusters of ours or in the real control plane. */
import type { Fact } from './facts.ts';
import { type Dialect, Inexpressible } from './dialect.ts';
import { makeOwnWorld } from './own-world.ts';
import type { Situation } from './situation.ts';
import { Stage } from './stage.ts';
import type { World } from './world.ts';

/** In a cluster of its own, on the virtual clock. */
export async function playOurs(situation: Situation, dialect: Dialect): Promise<Played> {
  const namespace = 's0000r0000';
  return playIfExpressible(await makeOwnWorld(namespace, dialect), situation, namespace);
}

const stride = 29;

export interface Played {
  readonly situation: Situation;
  /** Undefined where the release cannot be told the situation. */
  readonly facts: readonly Fact[] | undefined;
  readonly lacking?: string;
}

/** Side by side in one world, and those that want to be alone one after another at the end. */
export async function playTogether(world: World, situations: readonly Situation[], jobs: number, onPlayed: (played: Played) => void): Promise<void> {
  const run = String(Math.floor(world.nowMs() / 1000) % 10_000).padStart(4, '0');
  let number = 0;
  const playOne = async (situation: Situation): Promise<void> => {
    const namespace = `s${String(number++).padStart(4, '0')}r${run}`;
    onPlayed(await playIfExpressible(world, situation, namespace));
    await cleanUp(world, namespace);
  };
  // Neighbours in the list keep the same controllers busy: they are played apart.
  const together = situations.filter(({ options }) => options.alone !== true);
  const waiting = Array.from({ length: stride }, (_, start) => together.filter((_situation, index) => index % stride === start)).flat();
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await playOne(next);
  };
  await Promise.all(Array.from({ length: jobs }, work));
  for (const situation of situations.filter(({ options }) => options.alone === true)) await playOne(situation);
}

async function playIfExpressible(world: World, situation: Situation, namespace: string): Promise<Played> {
  try {
    return { situation, facts: await new Stage(world, situation, namespace).play() };
  } catch (error) {
    if (error instanceof Inexpressible) return { situation, facts: undefined, lacking: error.message };
    throw error;
  }
}

/** Others must not meet the nodes of a situation that is over, nor revisions that are nobody's: daemons of 1.13 take them from any namespace. */
async function cleanUp(world: World, namespace: string): Promise<void> {
  for (const { metadata } of world.list('nodes', '')) {
    if (metadata.name.startsWith(namespace)) await world.ask('DELETE', `/api/v1/nodes/${metadata.name}`);
  }
  for (const { metadata } of world.list('controllerrevisions', namespace)) {
    const isOrphan = ((metadata['ownerReferences'] as readonly object[] | undefined) ?? []).length === 0;
    if (isOrphan) await world.ask('DELETE', `${world.dialect.path('controllerrevisions', namespace)}/${metadata.name}`);
  }
}
