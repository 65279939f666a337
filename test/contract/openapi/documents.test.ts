/** What this server says of itself, letter by letter what a real 1.36.3 says (`documents.json`), but for groups that are its own. */
import { expect, it } from 'vitest';
import { Cluster } from '../../../engine/cluster/cluster.ts';
import type { TokenSigner } from '../../../engine/contracts/tokens.ts';
import { readTypes } from '../../../engine/host/type-files.ts';
import { testConfig, testHost } from '../../support/cluster.ts';
import { sumsOf } from './documents.ts';
import recorded from './documents.json' with { type: 'json' };

it('describes itself as the real server does, in JSON and protobuf', async () => {
  const published = { issuer: 'https://kubernetes.default.svc', keys: [] };
  const tokenSigner: TokenSigner = { published, audiences: [published.issuer], sign: ({ id }) => `eyJ.${id}` };
  const cluster = new Cluster(testConfig({ seed: 1, nodes: 0 }), { ...testHost(), readTypes, tokenSigner });
  await cluster.start();
  const identity = { name: 'u', groups: ['system:masters'] };
  const sums = await sumsOf((path, accept) => {
    const answer = cluster.door.serveAtOnce({ method: 'GET', path, query: '', headers: { accept }, body: new Uint8Array(), identity });
    if (!('body' in answer)) throw new Error(`no document ${path}`);
    const chunks = typeof answer.body === 'string' || answer.body instanceof Uint8Array ? [answer.body] : [...answer.body];
    return Promise.resolve(Buffer.concat(chunks.map((one) => Buffer.from(one as string))));
  });
  expect(sums).toEqual(recorded);
});
