/** What is counted of authorizers: what each decides, how webhooks answer and how long that takes, and what conditions keep from them. */
import { expect, it } from 'vitest';
import type { ReviewCall } from '../../../engine/apiserver/auth/review-webhook.ts';
import { adminIdentity } from '../../../engine/cluster/identities.ts';
import type { Answer, Question } from '../../../engine/contracts/questions.ts';
import { aCluster, type TestCluster } from '../../support/cluster.ts';
import { replayInputs } from '../../support/replay.ts';

const hook = (name: string, more: object = {}): object => ({
  type: 'Webhook',
  name,
  webhook: {
    ...{ timeout: '2s', subjectAccessReviewVersion: 'v1', failurePolicy: 'NoOpinion', matchConditionSubjectAccessReviewVersion: 'v1' },
    connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: '/k' },
    ...more,
  },
});
const options = {
  'authorization-config': JSON.stringify({
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'AuthorizationConfiguration',
    authorizers: [
      hook('gate', {
        matchConditions: [{ expression: "request.user.startsWith('u-') && request.extra['k'].size() > 0 || !request.user.startsWith('u-e')" }],
      }),
      hook('strict', { failurePolicy: 'Deny', matchConditions: [{ expression: "request.user.startsWith('s-')" }] }),
      { type: 'Node', name: 'node' },
      { type: 'RBAC', name: 'rbac' },
    ],
  }),
};

function answers({ body }: Question): Promise<Answer> {
  const { spec } = JSON.parse((body as unknown as ReviewCall).text) as { readonly spec: { readonly user: string } };
  const user = spec.user.slice(2);
  if (user === 'late') return Promise.resolve({ outcome: 'timedOut' });
  if (user === 'gone') return Promise.resolve({ outcome: 'failed', message: 'gone' });
  const status = { allowed: user === 'yes', denied: user === 'deny' };
  const text = JSON.stringify({ apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', status });
  return Promise.resolve({
    outcome: 'answered',
    body: { url: 'https://gate/', code: user === 'http504' ? 504 : 200, text, contentType: 'application/json', retryAfter: '' },
  });
}

async function get({ door }: TestCluster, name: string, path = '/api/v1/namespaces/default/secrets'): Promise<string> {
  const identity = name === '' ? adminIdentity : { name, groups: ['system:authenticated'] };
  const response = await door.serve({ method: 'GET', path, query: '', headers: { accept: 'application/json' }, body: new Uint8Array(), identity });
  return 'body' in response ? String(response.body) : '';
}

async function counted(tank: TestCluster): Promise<readonly string[]> {
  const lines = (await get(tank, '', '/metrics'))
    .split('\n')
    .filter((line) => line.startsWith('apiserver_authorization_') && !line.includes('system:'));
  return lines
    .filter((line) => !/_(bucket|sum)\{/.test(line))
    .map((line) => line.slice('apiserver_authorization_'.length))
    .sort();
}

it('counts decisions, round-trips and what conditions keep out', async () => {
  const tank = await aCluster({ nodes: 0, options }, { ask: answers });
  const before = new Map((await counted(tank)).map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]));
  // Who is late for as long as a request has leaves it to nobody else: the second one is asked where the first was quick to say so.
  for (const user of ['u-yes', 'u-yes', 'u-deny', 'u-late', 'u-gone', 'u-http504', 'u-eh', 's-gone', 's-http504']) await get(tank, user);
  const risen = (await counted(tank)).flatMap((line) => {
    const at = line.lastIndexOf(' ');
    const rise = Number(line.slice(at + 1)) - (before.get(line.slice(0, at)) ?? 0);
    return rise > 0 ? [`${line.slice(0, at)} ${rise}`] : [];
  });
  const round = risen.filter((line) => line.startsWith('webhook_'));
  expect(round).toEqual([
    'webhook_duration_seconds_count{name="gate",result="error"} 2',
    'webhook_duration_seconds_count{name="gate",result="success"} 2',
    'webhook_duration_seconds_count{name="gate",result="timeout"} 3',
    'webhook_duration_seconds_count{name="strict",result="error"} 1',
    'webhook_duration_seconds_count{name="strict",result="timeout"} 1',
    'webhook_evaluations_fail_open_total{name="gate",result="error"} 2',
    'webhook_evaluations_fail_open_total{name="gate",result="timeout"} 3',
    'webhook_evaluations_total{name="gate",result="error"} 2',
    'webhook_evaluations_total{name="gate",result="success"} 2',
    'webhook_evaluations_total{name="gate",result="timeout"} 3',
    'webhook_evaluations_total{name="strict",result="error"} 1',
    'webhook_evaluations_total{name="strict",result="timeout"} 1',
  ]);
  const named = (start: string): readonly string[] => risen.filter((line) => line.startsWith(start)).map((line) => line.replace(/ \d+$/, ''));
  expect(named('decisions_total')).toEqual([
    'decisions_total{decision="allowed",name="gate",type="Webhook"}',
    'decisions_total{decision="denied",name="gate",type="Webhook"}',
    'decisions_total{decision="denied",name="strict",type="Webhook"}',
  ]);
  expect(named('match_condition')).toEqual([
    'match_condition_evaluation_errors_total{name="gate",type="Webhook"}',
    'match_condition_evaluation_seconds_count{name="gate",type="Webhook"}',
    'match_condition_evaluation_seconds_count{name="strict",type="Webhook"}',
    'match_condition_exclusions_total{name="strict",type="Webhook"}',
  ]);
});

it('counts no round-trip that a replay only remembers', async () => {
  const config = { nodes: 1, options };
  const tank = await aCluster(config, { ask: answers });
  const started = tank.inputs.length;
  await tank.advance(20_000);
  const again = await aCluster(config, { ask: answers });
  const evaluations = async (): Promise<readonly string[]> => (await counted(again)).filter((line) => line.startsWith('webhook_evaluations_total'));
  const before = await evaluations();
  await replayInputs(again, tank.inputs.slice(started), tank.cluster.loop.nowMs());
  expect([before.length > 0, await evaluations(), again.cluster.digest]).toEqual([true, before, tank.cluster.digest]);
});
