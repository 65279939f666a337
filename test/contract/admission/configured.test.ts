/** Plugins that act by `--admission-control-config-file`: limits of Events and a webhook that looks at images; and those against exec of release 1.13. */
import { describe, expect, it } from 'vitest';
import type { ReviewCall } from '../../../engine/apiserver/auth/review-webhook.ts';
import { adminIdentity } from '../../../engine/cluster/identities.ts';
import { Settings } from '../../../engine/cluster/settings.ts';
import type { Answer, Question } from '../../../engine/contracts/questions.ts';
import { getRelease } from '../../../engine/releases/releases.ts';
import { aCluster, madeCluster, type TestCluster } from '../../support/cluster.ts';
import { replayInputs } from '../../support/replay.ts';

type Plugin = { readonly name: string; readonly configuration: object };

function options(...plugins: readonly Plugin[]): Record<string, string> {
  return {
    'enable-admission-plugins': plugins.map(({ name }) => name).join(','),
    'admission-control-config-file': JSON.stringify({ apiVersion: 'apiserver.config.k8s.io/v1', kind: 'AdmissionConfiguration', plugins }),
  };
}

const limits = (...list: readonly object[]): Plugin => ({
  name: 'EventRateLimit',
  configuration: { apiVersion: 'eventratelimit.admission.k8s.io/v1alpha1', kind: 'Configuration', limits: list },
});

function refusal(given: Record<string, string>, release = '1.36'): string {
  try {
    new Settings(given, getRelease(release));
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

function event(tank: TestCluster, namespace: string, name: string, about: string, dryRun = ''): string {
  const involvedObject = { kind: 'Pod', namespace, name: about, uid: 'u', apiVersion: 'v1' };
  const body = { metadata: { name }, involvedObject, source: { component: 'c', host: 'h' }, reason: 'R', message: 'm', type: 'Normal' };
  const { status, object } = tank.ask<{ message: string }>('POST', `/api/v1/namespaces/${namespace}/events${dryRun}`, body);
  return status === 201 ? '' : `${status} ${object.message}`;
}

describe('EventRateLimit', () => {
  const config = {
    nodes: 0,
    options: options(limits({ type: 'Namespace', qps: 1, burst: 3 }, { type: 'SourceAndObject', qps: 1, burst: 2, cacheSize: 2 })),
  };
  const refusedFor = (type: string, key: string): string => `429 Too many requests: limit reached on type ${type} for key ${key}`;

  it('lets a burst pass, and then as many as the clock allows', async () => {
    const tank = await aCluster(config);
    expect([event(tank, 'default', 'a', 'x'), event(tank, 'default', 'b', 'x')]).toEqual(['', '']);
    expect(event(tank, 'default', 'c', 'x')).toBe(refusedFor('SourceAndObject', 'chPoddefaultxuv1'));
    expect(event(tank, 'default', 'd', 'y')).toBe('');
    expect(event(tank, 'default', 'e', 'z')).toBe(refusedFor('Namespace', 'default'));
    expect(event(tank, 'kube-public', 'e', 'z')).toBe('');
    await tank.advance(1_000);
    expect(event(tank, 'default', 'f', 'x')).toBe('');
    expect(event(tank, 'default', 'g', 'z')).toBe(refusedFor('Namespace', 'default'));
  });

  it('counts no dry runs and nothing that was refused for another reason', async () => {
    const tank = await aCluster(config);
    for (const name of ['a', 'b', 'c', 'd', 'e']) expect(event(tank, 'default', name, 'x', '?dryRun=All')).toBe('');
    expect(event(tank, 'default', 'a', 'x')).toBe('');
    expect(event(tank, 'default', 'a', 'x')).toContain('409');
    expect(event(tank, 'default', 'b', 'x')).toBe('');
  });

  it('goes on where it was after a restore, and a replay lets pass what passed', async () => {
    const tank = await aCluster(config);
    for (const name of ['a', 'b', 'c']) event(tank, 'default', name, name);
    await tank.quiet();
    const back = madeCluster(config);
    back.cluster.restore(JSON.parse(JSON.stringify(tank.cluster.save())) as Parameters<typeof back.cluster.restore>[0]);
    expect(event(back, 'default', 'd', 'd')).toBe(event(tank, 'default', 'd', 'd'));
    expect(event(tank, 'default', 'd', 'd')).toBe(refusedFor('Namespace', 'default'));
    await tank.advance(5_000);
    event(tank, 'default', 'e', 'e');
    const again = await aCluster(config);
    await replayInputs(again, tank.inputs, tank.cluster.loop.nowMs());
    expect(again.cluster.digest).toBe(tank.cluster.digest);
  });

  it.each([
    [limits(), 'limits: Invalid value: []: must not be empty'],
    [
      limits({ type: 'User', qps: 0, burst: -1, cacheSize: -1 }),
      '[limits[0].burst: Invalid value: -1: must be positive, limits[0].qps: Invalid value: 0: must be positive, limits[0].cacheSize: Invalid value: -1: must not be negative]',
    ],
  ])('refuses %j', (plugin, fault) => {
    expect(refusal(options(plugin))).toBe(`failed to apply admission: couldn't init admission plugin "EventRateLimit": ${fault}`);
  });
});

describe('ImagePolicyWebhook', () => {
  const policy = (more: object = {}): Plugin => ({
    name: 'ImagePolicyWebhook',
    configuration: { imagePolicy: { kubeConfigFile: '/k', allowTTL: 30, denyTTL: 10, retryBackoff: 100, ...more } },
  });
  const cluster = async (answer: (spec: unknown) => object | undefined, asked: ReviewCall[] = [], more: object = {}): Promise<TestCluster> => {
    const ask = ({ body }: Question): Promise<Answer> => {
      const call = body as unknown as ReviewCall;
      asked.push(call);
      const status = answer((JSON.parse(call.text) as { spec: unknown }).spec);
      if (status === undefined) return Promise.resolve({ outcome: 'failed', message: 'Post "https://images/": EOF' });
      return Promise.resolve({ outcome: 'answered', body: { code: 200, text: JSON.stringify({ status }), contentType: '', retryAfter: '' } });
    };
    return aCluster({ nodes: 0, options: options(policy(more)) }, { ask });
  };
  const created = async ({ door }: TestCluster, image: string, annotations: object = {}): Promise<string> => {
    const text = JSON.stringify({ metadata: { name: 'p', annotations }, spec: { containers: [{ name: 'c', image }] } });
    const headers = { accept: 'application/json', 'content-type': 'application/json' };
    const sent = { method: 'POST', path: '/api/v1/namespaces/default/pods', query: 'dryRun=All', headers, body: new TextEncoder().encode(text) };
    const response = await door.serve({ ...sent, identity: adminIdentity });
    if (!('body' in response)) throw new Error('no answer');
    const chunks = typeof response.body === 'string' || response.body instanceof Uint8Array ? [response.body] : [...response.body];
    const said = chunks.map((chunk) => (typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk))).join('');
    return response.status === 201 ? '' : (JSON.parse(said) as { message: string }).message;
  };

  it('shows images and the annotations that are for it, and is heard', async () => {
    const asked: ReviewCall[] = [];
    const tank = await cluster((spec) => ({ allowed: JSON.stringify(spec).includes('good'), reason: 'old' }), asked);
    expect(await created(tank, 'good', { 'a.image-policy.k8s.io/b': 'c', other: 'd' })).toBe('');
    expect(JSON.parse(asked[0]?.text ?? '')).toEqual({
      ...{ kind: 'ImageReview', apiVersion: 'imagepolicy.k8s.io/v1alpha1', metadata: {}, status: { allowed: false } },
      spec: { containers: [{ image: 'good' }], annotations: { 'a.image-policy.k8s.io/b': 'c' }, namespace: 'default' },
    });
    expect(await created(tank, 'bad')).toBe('pods "p" is forbidden: image policy webhook backend denied one or more images: old');
  });

  it('is asked again when its word has run out', async () => {
    const asked: ReviewCall[] = [];
    const tank = await cluster(() => ({ allowed: false }), asked);
    const refused = 'pods "p" is forbidden: one or more images rejected by webhook backend';
    expect([await created(tank, 'a'), await created(tank, 'a')]).toEqual([refused, refused]);
    expect(asked).toHaveLength(1);
    await tank.advance(11_000);
    await created(tank, 'a');
    expect(asked).toHaveLength(2);
  });

  it('that fails refuses, or allows where the configuration says so', async () => {
    expect(await created(await cluster(() => undefined), 'a')).toBe('pods "p" is forbidden: Post "https://images/": EOF');
    expect(await created(await cluster(() => undefined, [], { defaultAllow: true }), 'a')).toBe('');
  });

  it('needs a configuration that is right', () => {
    const start = 'failed to apply admission: couldn\'t init admission plugin "ImagePolicyWebhook": ';
    expect(refusal({ 'enable-admission-plugins': 'ImagePolicyWebhook' })).toBe(`${start}no config specified`);
    expect(refusal(options(policy({ allowTTL: 1801 })))).toBe(`${start}valid value is between 1s and 30m0s, got 30m1s`);
  });
});

describe('exec in release 1.13', () => {
  it('DenyExecOnPrivileged looks at nothing but privileges', async () => {
    const tank = await aCluster({ nodes: 1, release: '1.13', options: { 'enable-admission-plugins': 'DenyExecOnPrivileged' } });
    const exec = (name: string): unknown => tank.ask('POST', `/api/v1/namespaces/default/pods/${name}/exec?command=ls&stdout=true`);
    const pod = (name: string, spec: object, securityContext: object): unknown =>
      tank.call('POST', '/api/v1/namespaces/default/pods', {
        metadata: { name },
        spec: { ...spec, containers: [{ name: 'c', image: 'nginx', securityContext }] },
      });
    pod('close', { hostPID: true }, {});
    pod('master', {}, { privileged: true });
    await tank.advance(30_000);
    expect(() => exec('close')).toThrow('answered a stream');
    expect(exec('master')).toMatchObject({ object: { message: 'pods "master" is forbidden: cannot exec into or attach to a privileged container' } });
  });

  it.each([
    ['DenyEscalatingExec', { hostPID: true }, 'cannot exec into or attach to a container using host pid'],
    ['DenyEscalatingExec', { hostNetwork: true }, 'cannot exec into or attach to a container using host network'],
  ])('%s and a pod with %j', async (plugin, spec, refused) => {
    const tank = await aCluster({ nodes: 1, release: '1.13', options: { 'enable-admission-plugins': plugin } });
    tank.call('POST', '/api/v1/namespaces/default/pods', { metadata: { name: 'p' }, spec: { ...spec, containers: [{ name: 'c', image: 'nginx' }] } });
    await tank.advance(30_000);
    const { object } = tank.ask<{ message: string }>('POST', '/api/v1/namespaces/default/pods/p/exec?command=ls&stdout=true');
    expect(object.message).toBe(`pods "p" is forbidden: ${refused}`);
  });
});
