/** An AuthorizationConfiguration that changes while the cluster runs: who may what changes with it, and a replay or a restore decides as then. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { ReviewCall } from '../../../engine/apiserver/auth/review-webhook.ts';
import type { JsonValue } from '../../../engine/base/json.ts';
import type { Answer, Question } from '../../../engine/contracts/questions.ts';
import { replaySession } from '../../../engine/host/session-resume.ts';
import { configOf } from '../../../engine/host/session.ts';
import { SessionFile } from '../../../engine/persistence/session-file.ts';
import { aCluster, madeCluster, type TestCluster } from '../../support/cluster.ts';
import { replayInputs } from '../../support/replay.ts';
import { openSession } from '../../support/session.ts';

const folder = mkdtempSync(join(tmpdir(), 'wavetank-reconfiguration-'));
afterAll(() => rmSync(folder, { recursive: true }));

const own = [
  { type: 'Node', name: 'node' },
  { type: 'RBAC', name: 'rbac' },
];
const hook = (name: string): object => ({
  type: 'Webhook',
  name,
  webhook: {
    ...{ timeout: '2s', subjectAccessReviewVersion: 'v1', failurePolicy: 'Deny' },
    connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: '/k' },
  },
});
const configuration = (...authorizers: readonly object[]): string =>
  JSON.stringify({ apiVersion: 'apiserver.config.k8s.io/v1', kind: 'AuthorizationConfiguration', authorizers });
const strict = configuration(...own);
const lax = configuration(...own, { type: 'AlwaysAllow', name: 'alwaysallow' });
const asking = configuration(hook('gate'), ...own);
const config = { nodes: 1, options: { 'authorization-config': strict } };
const use = (text: string) => ({ configured: { 'authorization-config': text } });

/** Says no to whoever is denied, and nothing of others. */
function gate(denied: ReadonlySet<string>, asked: string[] = []): (question: Question) => Promise<Answer> {
  return ({ body }) => {
    const { spec } = JSON.parse((body as unknown as ReviewCall).text) as { readonly spec: { readonly user: string } };
    asked.push(spec.user);
    const status = { allowed: false, denied: denied.has(spec.user) };
    const text = JSON.stringify({ apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', status });
    return Promise.resolve({ outcome: 'answered', body: { url: 'https://gate/', code: 200, text, contentType: 'application/json', retryAfter: '' } });
  };
}

async function asJane({ door }: Pick<TestCluster, 'door'>, method: string, path: string, body?: object): Promise<number> {
  const bytes = new TextEncoder().encode(body === undefined ? '' : JSON.stringify(body));
  const headers = { accept: 'application/json', 'content-type': 'application/json' };
  const identity = { name: 'jane', groups: ['system:authenticated'] };
  const response = await door.serve({ method, path, query: '', headers, body: bytes, identity });
  return 'status' in response ? response.status : 0;
}

const roles = '/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles';
const role = (name: string): object => ({ metadata: { name }, rules: [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }] });

const deployments = '/apis/apps/v1/namespaces/default/deployments';
const labels = { app: 'web' };
const web = {
  metadata: { name: 'web' },
  spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'nginx:1.27' }] } } },
};
const podsOf = ({ cluster }: TestCluster): number => cluster.stored('pods/default').length;

describe('a configuration that came later', () => {
  it('decides from then on, and until another one comes', async () => {
    const tank = await aCluster(config);
    const secrets = '/api/v1/namespaces/default/secrets';
    expect(await asJane(tank, 'GET', secrets)).toBe(403);
    tank.door.step(use(lax));
    expect(await asJane(tank, 'GET', secrets)).toBe(200);
    tank.door.step(use(strict));
    expect(await asJane(tank, 'GET', secrets)).toBe(403);
  });

  it('decides about components, and a replay finds each decision as it was', async () => {
    const denied = new Set(['system:serviceaccount:kube-system:replicaset-controller']);
    const asked: string[] = [];
    const tank = await aCluster(config, { ask: gate(denied, asked) });
    const started = tank.inputs.length;
    tank.door.step(use(asking));
    tank.call('POST', deployments, web);
    await tank.advance(20_000);
    expect([podsOf(tank), asked.includes('system:serviceaccount:kube-system:replicaset-controller')]).toEqual([0, true]);
    tank.door.step(use(strict));
    await tank.advance(200_000);
    expect(podsOf(tank)).toBe(1);

    asked.length = 0;
    const again = await aCluster(config, { ask: gate(new Set(), asked) });
    await replayInputs(again, tank.inputs.slice(started), tank.cluster.loop.nowMs());
    expect([again.cluster.digest, asked]).toEqual([tank.cluster.digest, []]);
  });

  it('decides in a replay what was attempted under it, and counts after a restore', async () => {
    const tank = await aCluster(config);
    const started = tank.inputs.length;
    expect(await asJane(tank, 'POST', roles, role('a'))).toBe(403);
    tank.door.step(use(lax));
    // Nobody may hand on what she has not, unless she may `escalate`: the attempt itself asks.
    expect(await asJane(tank, 'POST', roles, role('b'))).toBe(201);
    await tank.advance(1_000);
    const again = await aCluster(config);
    await replayInputs(again, tank.inputs.slice(started), tank.cluster.loop.nowMs());
    expect(again.cluster.digest).toBe(tank.cluster.digest);
    expect(again.cluster.stored('roles/default')).toHaveLength(1);

    await tank.quiet();
    const restored = madeCluster(config);
    restored.cluster.restore(JSON.parse(JSON.stringify(tank.cluster.save())) as JsonValue);
    expect(await asJane(restored, 'POST', roles, role('c'))).toBe(201);
    expect(restored.cluster.authorization.configuration).toBe(lax);
  });

  it('asks its webhooks anew, also about what was asked while it came', async () => {
    const asked: string[] = [];
    const waiting: (() => void)[] = [];
    let isSlow = false;
    const denied = new Set<string>();
    const answer = gate(denied, asked);
    const slow = async (question: Question): Promise<Answer> => {
      if (isSlow) await new Promise<void>((resolve) => void waiting.push(resolve));
      return answer(question);
    };
    const open = configuration(hook('gate'), ...own, { type: 'AlwaysAllow', name: 'alwaysallow' });
    const tank = await aCluster({ nodes: 0, options: { 'authorization-config': open } }, { ask: slow });
    const path = '/api/v1/namespaces/default/secrets';
    const [twice, after]: [number[], number[]] = [[await asJane(tank, 'GET', path), await asJane(tank, 'GET', path)], []];
    expect([twice, asked.filter((user) => user === 'jane').length]).toEqual([[200, 200], 1]);
    denied.add('jane');
    tank.door.step(use(open));
    expect(await asJane(tank, 'GET', path)).toBe(403);

    denied.delete('jane');
    isSlow = true;
    const under = asJane(tank, 'GET', '/api/v1/namespaces/default/configmaps');
    while (waiting.length === 0) await new Promise((resolve) => setImmediate(resolve));
    tank.door.step(use(open));
    isSlow = false;
    waiting[0]?.();
    expect(await under).toBe(200);
    denied.add('jane');
    after.push(await asJane(tank, 'GET', '/api/v1/namespaces/default/configmaps'));
    expect(after).toEqual([403]);
  });
});

describe('a process that is killed', () => {
  const file = (name: string): string => join(folder, name);

  async function replayed(path: string): Promise<boolean | undefined> {
    const session = SessionFile.openToRead(path);
    try {
      return (await replaySession(madeCluster(configOf(session.head as never)).cluster, session)).equal;
    } finally {
      session.close();
    }
  }

  it('goes on with the configuration under which somebody was answered', async () => {
    const path = file('answered');
    const first = await openSession(path, config);
    first.door.step(use(lax));
    expect(await asJane(first, 'POST', roles, role('b'))).toBe(201);
    first.recorder.commit();
    first.kill();
    expect(await replayed(path)).toBe(true);
    const second = await openSession(path);
    expect(second.cluster.authorization.configuration).toBe(lax);
    expect(await asJane(second, 'POST', roles, role('c'))).toBe(201);
    await second.close();
    expect(await replayed(path)).toBe(true);
  });

  it('has the one before where nothing of the change had been shown', async () => {
    const path = file('unseen');
    const first = await openSession(path, config);
    first.recorder.commit();
    first.door.step(use(lax));
    first.kill();
    const second = await openSession(path);
    expect([strict, lax]).toContain(second.cluster.authorization.configuration);
    expect(await asJane(second, 'POST', roles, role('c'))).toBe(second.cluster.authorization.configuration === lax ? 201 : 403);
    await second.close();
    expect(await replayed(path)).toBe(true);
  });
});
