/** Gates of release 1.13, each off and on, as a real 1.13.12 has them (gates.json, written by record-gates.ts). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { aCluster } from '../../support/cluster.ts';
import { asker, type Ask } from '../seeds-client.ts';
import { allGates, at, gated } from './gates.ts';

const facts = JSON.parse(readFileSync(join(import.meta.dirname, 'gates.json'), 'utf8')) as {
  readonly [state: string]: { readonly [name: string]: unknown };
};

describe.each(['off', 'on'])('gates of release 1.13 that are %s', (state) => {
  let ask: Ask;

  beforeAll(async () => {
    const options = { 'feature-gates': allGates(state === 'on'), controllers: '-*', 'disable-admission-plugins': 'ServiceAccount' };
    const made = await aCluster({ seed: 1, nodes: 0, release: '1.13', options });
    await made.advance(1000);
    ask = asker(made);
  });

  it.each(gated)('$gate: $name', ({ name, path, body, shown }) => {
    const answer = ask('POST', path, { body });
    ask('DELETE', `${path}/${body.metadata.name}`, { body: { gracePeriodSeconds: 0, propagationPolicy: 'Background' } });
    expect(answer.status === 201 ? at(answer.body, shown) : answer.body['message']).toEqual(facts[state]?.[name]);
  });
});
