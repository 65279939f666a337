/** What a real 1.36.3 answers to requests for certificates, trust bundles and authorities of webhooks (`facts.json.gz`, made by `record.ts`). */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import type { KubeObject } from '../../../engine/apimachinery/object.ts';
import { certificateJudge } from '../../../engine/serving/x509/certificate-judge.ts';
import { aCluster } from '../../support/cluster.ts';
import { type Ask, asker } from '../seeds-client.ts';
import type { Call, Fact } from './facts.ts';

const facts = JSON.parse(gunzipSync(readFileSync(new URL('facts.json.gz', import.meta.url))).toString()) as readonly Fact[];

describe('certificates before a real 1.36', () => {
  let ask: Ask;
  let advance: (ms: number) => Promise<void>;

  beforeAll(async () => {
    const options = { 'runtime-config': 'certificates.k8s.io/v1beta1=true', 'feature-gates': 'ClusterTrustBundle=true' };
    const made = await aCluster({ seed: 1, nodes: 0, options }, { certificateJudge });
    ask = asker(made);
    advance = (ms) => made.advance(ms);
  });

  it.each(facts.map((fact) => [fact.name, fact] as const))('%s', async (_name, { before = [], code, message, ...fact }) => {
    for (const call of before) send(call);
    if (before.length > 0) await advance(2000);
    const answer = send(fact, '?dryRun=All');
    for (const { path, body } of before) ask('DELETE', `${path}/${(body as KubeObject).metadata.name}`);
    if (before.length > 0) await advance(2000);
    const told = (answer.body as unknown as { message?: string }).message;
    expect({ code: answer.status, ...(answer.status < 400 ? {} : { message: told }) }).toEqual({
      code,
      ...(message === undefined ? {} : { message }),
    });
  });

  function send({ method, path, body, type }: Call, query = ''): ReturnType<Ask> {
    return ask(method, path + query, { ...(body === undefined ? {} : { body }), ...(type === undefined ? {} : { type }) });
  }
});
