/** Webhooks share the time that their request has, as of a real 1.36.3: each has the less of its own and what is left, and then nobody is asked. */
import { expect, test } from 'vitest';
import type { JsonValue } from '../../../engine/base/json.ts';
import { adminIdentity } from '../../../engine/cluster/identities.ts';
import type { Answer, Question } from '../../../engine/contracts/questions.ts';
import { aCluster, madeCluster } from '../../support/cluster.ts';
import { hook } from './cases.ts';

const configurations = '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations';
const maps = '/api/v1/namespaces/default/configmaps';
const rules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }];
const config = { nodes: 0, seed: 5, options: { controllers: '-*' } };

/** Silent where the path says so; else it takes the milliseconds that the path names. */
function answerOf({ body }: Question): Answer {
  const { url, text } = body as unknown as { readonly url: string; readonly text: string };
  const { pathname } = new URL(url);
  if (pathname === '/silent') return { outcome: 'timedOut' };
  const { uid } = (JSON.parse(text) as { readonly request: { readonly uid: string } }).request;
  const answer = JSON.stringify({ kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1', response: { uid, allowed: true } });
  const tookMs = Number(pathname.slice(1));
  return { outcome: 'answered', body: { code: 200, text: answer, contentType: 'application/json', retryAfter: '', tookMs } as JsonValue };
}

interface Hook {
  readonly path: string;
  readonly seconds: number;
  readonly failurePolicy?: 'Ignore' | 'Fail';
}

async function created(hooks: readonly Hook[], query: string, accept = 'application/json') {
  const asked: (readonly [url: string, timeoutMs: number])[] = [];
  const ask = (question: Question): Promise<Answer> => {
    asked.push([(question.body as unknown as { readonly url: string }).url.replace('https://hook.example', ''), question.timeoutMs]);
    return Promise.resolve(answerOf(question));
  };
  const made = await aCluster(config, { ask });
  const webhooks = hooks.map(({ path, seconds, failurePolicy = 'Ignore' }, index) => ({
    ...hook(path),
    name: `h${index}.example.com`,
    ...{ rules, failurePolicy, timeoutSeconds: seconds, clientConfig: { url: `https://hook.example${path}` }, namespaceSelector: {} },
  }));
  const kind = 'MutatingWebhookConfiguration';
  made.call('POST', configurations, { apiVersion: 'admissionregistration.k8s.io/v1', kind, metadata: { name: 'w' }, webhooks });
  const body = new TextEncoder().encode(JSON.stringify({ metadata: { name: 'x' } }));
  const headers = { accept, 'content-type': 'application/json', 'user-agent': 'test' };
  const response = await made.door.serve({ method: 'POST', path: maps, query, headers, body, identity: adminIdentity });
  if (!('body' in response)) throw new Error('a stream');
  const { message } = JSON.parse(String(response.body)) as { readonly message?: string };
  return { made, asked, response, status: response.status, message };
}

const isUp = 'Timeout: request did not complete within the allotted timeout';
const silent = { path: '/silent', seconds: 10 };

test.each<
  [name: string, hooks: readonly Hook[], query: string, status: number, message: string | undefined, asked: readonly (readonly [string, number])[]]
>([
  ['who ignores failures', [silent], 'timeout=2s', 504, isUp, [['/silent?timeout=2s', 2000]]],
  ['who does not', [{ ...silent, failurePolicy: 'Fail' }], 'timeout=1500ms', 504, isUp, [['/silent?timeout=2s', 1500]]],
  [
    'what is left is less',
    [{ path: '/1200', seconds: 10 }, silent, silent],
    'timeout=3s',
    504,
    isUp,
    [
      ['/1200?timeout=3s', 3000],
      ['/silent?timeout=2s', 1800],
    ],
  ],
  [
    'there is enough for both',
    [
      { path: '/silent', seconds: 1 },
      { path: '/silent', seconds: 2 },
    ],
    'timeout=5s',
    201,
    undefined,
    [
      ['/silent?timeout=1s', 1000],
      ['/silent?timeout=2s', 2000],
    ],
  ],
  [
    'nobody says how long',
    [
      { path: '/silent', seconds: 30 },
      { path: '/silent', seconds: 30 },
      { path: '/5', seconds: 1 },
    ],
    'timeout=0s',
    504,
    'Timeout: request did not complete within requested timeout - context deadline exceeded',
    [
      ['/silent?timeout=30s', 30_000],
      ['/silent?timeout=4s', 4000],
    ],
  ],
])('%s', async (_name, hooks, query, status, message, wanted) => {
  const answered = await created(hooks, query);
  expect([answered.status, answered.message, answered.asked]).toEqual([status, message, wanted]);
});

test.each(['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'])(
  'who gives a request too little time is told so in a text of no kind, whatever she takes: %s',
  async (accept) => {
    const { response } = await created([silent], 'timeout=1s', accept);
    expect([response.status, response.headers['content-type'], String(response.body)]).toEqual([
      504,
      'text/plain; charset=utf-8',
      `{"metadata":{},"status":"Failure","message":"${isUp}","reason":"Timeout","details":{},"code":504}\n`,
    ]);
  },
);

test('a replay counts the same time', async () => {
  const { made, status } = await created(
    [
      { path: '/1200', seconds: 10 },
      { path: '/300', seconds: 10 },
    ],
    'timeout=2s',
  );
  expect(status).toBe(201);
  const again = madeCluster(config);
  await again.cluster.start();
  again.door.beginReplay();
  for (const input of made.inputs) {
    await again.cluster.loop.run(Number.POSITIVE_INFINITY, input.tasksRun);
    again.door.replay(input);
  }
  again.door.endReplay();
  await again.cluster.loop.run(made.cluster.loop.nowMs());
  expect(again.cluster.digest).toBe(made.cluster.digest);
});
