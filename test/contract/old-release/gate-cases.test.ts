/** What gates of release 1.13 change beyond single fields, each off and on, as a real 1.13.12 has it (gate-cases.json, written by record-gate-cases.ts). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { aCluster } from '../../support/cluster.ts';
import { type Asked, makeBefore, play, type Told } from '../gates/cases.ts';
import { ownAsker } from '../gates/own-asker.ts';
import { oldGateCases, oldGatesOf, oldOptions, type OldState, oldStates } from './gate-cases.ts';

const facts = JSON.parse(readFileSync(join(import.meta.dirname, 'gate-cases.json'), 'utf8')) as Readonly<
  Record<OldState, Readonly<Record<string, readonly Told[]>>>
>;

describe.each(oldStates)('gates of release 1.13: %s', (state) => {
  let ask: Asked;

  beforeAll(async () => {
    const options = { ...oldOptions, controllers: '-*', 'feature-gates': oldGatesOf(state) };
    const made = await aCluster({ seed: 1, nodes: 0, release: '1.13', options });
    await made.advance(1000);
    ask = ownAsker(made);
    await makeBefore(ask, oldGateCases);
  });

  it.each(oldGateCases.map((one) => [`${one.gate}: ${one.name}`, one] as const))('%s', async (name, one) => {
    expect(await play(ask, one)).toEqual(facts[state][name]);
  });
});
