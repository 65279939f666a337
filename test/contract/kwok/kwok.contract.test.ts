/** KWOK's own stages drive nodes and pods here as the real kwok does beside a real API server. */
import { describe, expect, it } from 'vitest';
import { aCluster } from '../../support/cluster.ts';
import { asker } from '../seeds-client.ts';
import { type Ask, hasStages, kwokCases, play } from './play.ts';
import recorded from './recorded.json' with { type: 'json' };

describe.skipIf(!hasStages)("KWOK's own stages", () => {
  it.each(kwokCases.map((each) => [each.name, each] as const))('%s', async (name, each) => {
    const made = await aCluster({ nodes: 0, options: { controllers: '', scheduler: 'false' } });
    const ask = asker(made);
    const send: Ask = async (method, path, body, type) => {
      const answer = ask(method, path, { body, ...(type === undefined ? {} : { type }) });
      return { code: answer.status, body: answer.body as never };
    };
    expect(await play(send, each, (ms) => made.advance(ms))).toEqual((recorded as Readonly<Record<string, unknown>>)[name]);
  });
});
