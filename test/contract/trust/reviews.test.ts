/** Webhooks that are asked who somebody is and what she may: what the real API server made of their answers, is what Wavetank makes. */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { createTokenWebhook } from '../../../engine/apiserver/auth/token-webhook.ts';
import { authenticateToken } from '../../../engine/apiserver/auth/authenticator.ts';
import type { ReviewCall } from '../../../engine/apiserver/auth/review-webhook.ts';
import { adminIdentity } from '../../../engine/cluster/identities.ts';
import type { ClusterHost } from '../../../engine/cluster/cluster-host.ts';
import type { Answer, Question } from '../../../engine/contracts/questions.ts';
import { aCluster, type TestCluster } from '../../support/cluster.ts';
import { replayInputs } from '../../support/replay.ts';
import { authorizers, factOf, replyTo, type ReviewCase, reviewCases, type ReviewFact } from './review-cases.ts';

const facts = JSON.parse(readFileSync(new URL('./review-facts.json', import.meta.url), 'utf8')) as { readonly [name: string]: ReviewFact };

const webhook = createTokenWebhook({ kubeconfig: '/k', version: 'v1', keptMs: 120_000 }, ['ISSUER']);
const tokens: Pick<ClusterHost, 'knownToken' | 'authenticators'> = {
  knownToken: (token, wanted, ask) => authenticateToken(token, wanted.length === 0 ? ['ISSUER'] : wanted, [webhook], ask),
  authenticators: [webhook],
};

const get: ReviewCase = { name: '', method: 'GET', path: '/api/v1/namespaces/default' };

/** Answers as the recorder's webhook, and says what it was asked. */
function webhooks(asked: string[] = []): (question: Question) => Promise<Answer> {
  return ({ body, to }) => {
    const call = body as unknown as ReviewCall;
    asked.push(`${to} ${call.text}`);
    const { code, text } = replyTo(call.text);
    return Promise.resolve({ outcome: 'answered', body: { url: 'https://hook/', code, text, contentType: 'application/json', retryAfter: '' } });
  };
}

async function sent({ door }: TestCluster, { method, path, body, as }: ReviewCase, token?: string): Promise<ReviewFact> {
  const [route = '', query = ''] = path.split('?', 2);
  const headers = {
    ...{ accept: 'application/json', 'content-type': 'application/json' },
    ...(as === undefined ? {} : { 'impersonate-user': as }),
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
  const bytes = new TextEncoder().encode(body === undefined ? '' : JSON.stringify(body));
  const identity = token === undefined ? { identity: adminIdentity } : {};
  const response = await door.serve({ method, path: route, query, headers, body: bytes, ...identity });
  if (!('body' in response)) throw new Error(`${path} answered a stream`);
  const chunks = typeof response.body === 'string' || response.body instanceof Uint8Array ? [response.body] : [...response.body];
  return factOf(response.status, chunks.map((chunk) => (typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk))).join(''));
}

describe('webhooks in many moods', () => {
  let tank: TestCluster;

  beforeAll(async () => {
    tank = await aCluster({ nodes: 0, options: { 'authorization-config': authorizers('/k') } }, { ask: webhooks(), ...tokens });
  });

  it.each(reviewCases.map((one) => [one.name, one] as const))('%s', async (name, one) => {
    expect(await sent(tank, one)).toEqual(facts[name]);
  });
});

describe('what a webhook answered', () => {
  const counting = async (): Promise<{ tank: TestCluster; asked: string[] }> => {
    const asked: string[] = [];
    const tank = await aCluster({ nodes: 0, options: { 'authorization-config': authorizers('/k') } }, { ask: webhooks(asked), ...tokens });
    asked.length = 0;
    return { tank, asked };
  };

  it('counts for a while of virtual time: a yes for longer than a no', async () => {
    const { tank, asked } = await counting();
    const twice = async (as: string, laterMs: number): Promise<number> => {
      asked.length = 0;
      await sent(tank, { ...get, as });
      await tank.advance(laterMs);
      await sent(tank, { ...get, as });
      return asked.length;
    };
    expect(await twice('u-yes', 299_000)).toBe(1);
    expect(await twice('u-no', 29_000)).toBe(1);
    expect(await twice('u-deny', 31_000)).toBe(2);
    expect(await twice('u-http403', 0)).toBe(2);
  });

  it('counts for a token that nobody has too, and not for one that the webhook fails at', async () => {
    const { tank, asked } = await counting();
    const twice = async (token: string): Promise<number> => {
      asked.length = 0;
      await sent(tank, get, token);
      await sent(tank, get, token);
      return asked.filter((one) => one.includes('TokenReview')).length;
    };
    expect(await twice('t-jane')).toBe(1);
    expect(await twice('t-no')).toBe(1);
    expect(await twice('t-err')).toBe(2);
  });

  it('is asked once by many who come together', async () => {
    const { tank, asked } = await counting();
    const answers = await Promise.all(['u-yes', 'u-yes', 'u-yes'].map((as) => sent(tank, { ...get, as })));
    expect(answers.map(({ code }) => code)).toEqual([200, 200, 200]);
    expect(asked).toHaveLength(1);
  });

  it('does not count for what is asked at great length', async () => {
    const { tank, asked } = await counting();
    for (const _ of [1, 2]) await sent(tank, { ...get, path: `/x${'y'.repeat(10_000)}`, as: 'u-yes' });
    expect(asked).toHaveLength(2);
  });
});

describe('a webhook that is asked about everybody', () => {
  const everybody = JSON.stringify({
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'AuthorizationConfiguration',
    authorizers: [
      {
        type: 'Webhook',
        name: 'all',
        webhook: {
          ...{ timeout: '2s', subjectAccessReviewVersion: 'v1', failurePolicy: 'NoOpinion', authorizedTTL: '1s', unauthorizedTTL: '1s' },
          connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: '/k' },
        },
      },
      { type: 'Node', name: 'node' },
      { type: 'RBAC', name: 'rbac' },
    ],
  });

  it('stops no time by its silence, however many strangers come', async () => {
    const waiting: ((answer: Answer) => void)[] = [];
    const silent = (): Promise<Answer> => new Promise((resolve) => void waiting.push(resolve));
    const tank = await aCluster({ nodes: 1 }, { ask: silent, ...tokens });
    const strangers = Array.from({ length: 1_000 }, (_, i) => sent(tank, get, `token-${i}`));
    const before = tank.cluster.loop.nowMs();
    await tank.advance(60_000);
    expect([tank.cluster.loop.nowMs() - before, tank.cluster.loop.held, waiting.length]).toEqual([60_000, false, 1_000]);
    expect(tank.ask('POST', '/api/v1/namespaces', { metadata: { name: 'meanwhile' } }).status).toBe(201);
    for (const answer of waiting) answer({ outcome: 'timedOut' });
    expect(new Set((await Promise.all(strangers)).map(({ code }) => code))).toEqual(new Set([401]));
  });

  it('stops no time by its silence about who asks what she may, and holds nothing that was told', async () => {
    const waiting: ((answer: Answer) => void)[] = [];
    let isSilent = false;
    const ask = (question: Question): Promise<Answer> => (isSilent ? new Promise((resolve) => void waiting.push(resolve)) : webhooks()(question));
    const tank = await aCluster({ nodes: 0, options: { 'authorization-config': authorizers('/k') } }, { ask, ...tokens });
    isSilent = true;
    const body = { spec: { resourceAttributes: { verb: 'get', resource: 'pods' } } };
    const review: ReviewCase = { name: '', method: 'POST', path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', body, as: 'u-asks' };
    const answered = sent(tank, review);
    await tank.advance(1_000);
    for (let round = 0; round < 3; round++) {
      for (const answer of waiting.splice(0)) answer({ outcome: 'failed', message: 'gone' });
      await new Promise((resolve) => setImmediate(resolve));
      await tank.advance(1_000);
      expect(tank.cluster.loop.held).toBe(false);
    }
    for (const answer of waiting.splice(0)) answer({ outcome: 'failed', message: 'gone' });
    expect((await answered).code).toBeGreaterThan(0);
  });

  it('is asked about components too, and by a replay about nobody', async () => {
    const asked: string[] = [];
    const options = { 'authorization-config': everybody };
    const config = { nodes: 1, options };
    const tank = await aCluster(config, { ask: webhooks(asked) });
    const started = tank.inputs.length;
    tank.call('POST', '/api/v1/namespaces', { metadata: { name: 'a' } });
    await tank.advance(30_000);
    expect(asked.some((one) => one.includes('system:node:'))).toBe(true);
    asked.length = 0;
    const again = await aCluster(config, { ask: webhooks(asked) });
    const atStart = asked.length;
    await replayInputs(again, tank.inputs.slice(started), tank.cluster.loop.nowMs());
    expect(again.cluster.digest).toBe(tank.cluster.digest);
    expect(asked.length).toBe(atStart);
  });
});
