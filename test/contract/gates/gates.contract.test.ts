/** Gates of 1.36, each off and on, as a real 1.36.3 has them (facts.json, written by record.ts). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { JsonValue } from '../../../engine/base/json.ts';
import { aCluster, madeCluster, type TestCluster } from '../../support/cluster.ts';
import { type Asked, gateCases, gatesOf, makeBefore, play, serverOptions, type State, states, type Told } from './cases.ts';
import { ownAsker as askerOf } from './own-asker.ts';

type Facts = Readonly<Record<string, readonly Told[]>>;
const facts = JSON.parse(readFileSync(join(import.meta.dirname, 'facts.json'), 'utf8')) as Readonly<Record<State, Facts>>;

const config = (state: State) => ({ seed: 1, nodes: 0, options: { ...serverOptions, controllers: '-*', 'feature-gates': gatesOf(state) } });

/** Made with the gates on; else it is the same state under a server that has others. */
async function aClusterWith(state: State): Promise<TestCluster> {
  const made = await aCluster(config('on'));
  await made.advance(1000);
  await makeBefore(askerOf(made), gateCases);
  if (state === 'on') return made;
  await made.quiet();
  const again = madeCluster(config(state));
  again.cluster.restore(JSON.parse(JSON.stringify(made.cluster.save())) as JsonValue);
  await again.advance(1000);
  return again;
}

describe.each(states)('gates: %s', (state) => {
  let ask: Asked;

  beforeAll(async () => {
    ask = askerOf(await aClusterWith(state));
  });

  it.each(gateCases.map((one) => [`${one.gate}: ${one.name}`, one] as const))('%s', async (name, one) => {
    expect(await play(ask, one)).toEqual(facts[state][name]);
  });
});
