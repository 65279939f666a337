/** Quotas at admission, as a real API server of release 1.36 charges and refuses. */
import { describe, expect, it } from 'vitest';
import type { ResourceQuota } from '../../../engine/api/core/v1/types.gen.ts';
import { aCluster, type TestCluster } from '../../support/cluster.ts';
import { asker } from '../seeds-client.ts';
import { limitedCases, limitedConfiguration, type QuotaCase, quotaCases } from './cases.ts';
import { type Ask, play, prepare, type QuotaFact } from './play.ts';
import recordedLimited from './recorded-limited.json' with { type: 'json' };
import recorded from './recorded.json' with { type: 'json' };

const noCounting = { controllers: '-resourcequota-controller' };

function askOf(made: TestCluster): Ask {
  const ask = asker(made);
  return async (method, path, body, type) => {
    const answer = ask(method, path, { body, ...(type === undefined ? {} : { type }) });
    return { code: answer.status, body: answer.body as never };
  };
}

describe.each<readonly [string, readonly QuotaCase[], unknown, Record<string, string>]>([
  ['quotas at admission', quotaCases, recorded, noCounting],
  ['what needs a quota', limitedCases, recordedLimited, { ...noCounting, 'admission-control-config-file': limitedConfiguration }],
])('%s', (_title, cases, facts, options) => {
  it.each(cases.map((each, index) => [each.name, each, index] as const))('%s', async (name, each, index) => {
    const ask = askOf(await aCluster({ nodes: 0, options }));
    await prepare(ask);
    expect(await play(ask, each, `quota-${index}`)).toEqual((facts as Readonly<Record<string, readonly QuotaFact[]>>)[name]);
  });
});

describe('the charge', () => {
  const quotas = '/api/v1/namespaces/default/resourcequotas';
  const maps = '/api/v1/namespaces/default/configmaps';
  const withQuota = async (options: Record<string, string> = {}): Promise<TestCluster> => {
    const made = await aCluster({ nodes: 0, options });
    made.call('POST', quotas, { metadata: { name: 'q' }, spec: { hard: { configmaps: '3', 'count/ingresses.networking.k8s.io': '1' } } });
    await made.advance(1000);
    return made;
  };
  const usedOf = (made: TestCluster): unknown => made.call<ResourceQuota>('GET', `${quotas}/q`).status?.used;

  it('is a write of the API server in the same request, before the object', async () => {
    const made = await withQuota();
    const object = made.call('POST', maps, { metadata: { name: 'a' } });
    const quota = made.call<ResourceQuota>('GET', `${quotas}/q`);
    expect(quota.status?.used?.['configmaps']).toBe('2');
    expect(Number(quota.metadata.resourceVersion)).toBe(Number(object.metadata.resourceVersion) - 1);
    expect(quota.metadata.managedFields?.at(-1)).toMatchObject({ manager: 'kube-apiserver', operation: 'Update', subresource: 'status' });
  });

  it('is not kept when the request fails', async () => {
    const made = await withQuota();
    expect(made.ask('POST', maps, { metadata: { name: 'kube-root-ca.crt' } }).status).toBe(409);
    expect(usedOf(made)).toMatchObject({ configmaps: '1' });
  });

  it('comes back when objects go, of kinds that only a count names too', async () => {
    const made = await withQuota();
    made.call('POST', maps, { metadata: { name: 'a' } });
    const ingresses = '/apis/networking.k8s.io/v1/namespaces/default/ingresses';
    made.call('POST', ingresses, { metadata: { name: 'i' }, spec: { defaultBackend: { service: { name: 's', port: { number: 80 } } } } });
    expect(usedOf(made)).toEqual({ configmaps: '2', 'count/ingresses.networking.k8s.io': '1' });
    made.call('DELETE', `${maps}/a`);
    made.call('DELETE', `${ingresses}/i`);
    await made.advance(1000);
    expect(usedOf(made)).toEqual({ configmaps: '1', 'count/ingresses.networking.k8s.io': '0' });
  });

  it('of what came before the limits were in force is counted by the controller', async () => {
    const made = await aCluster({ nodes: 0 });
    made.call('POST', quotas, { metadata: { name: 'q' }, spec: { hard: { configmaps: '30' } } });
    for (let step = 0; step < 20; step++) {
      made.call('POST', maps, { metadata: { name: `m-${step}` } });
      await made.advance(1);
    }
    await made.advance(2000);
    expect(usedOf(made)).toEqual({ configmaps: '21' });
  });
});

describe('a bad --admission-control-config-file', () => {
  it.each([
    ['{', 'failed to apply admission: failed to read plugin config: '],
    ['kind: Other', "failed to apply admission: failed to read plugin config: Object 'apiVersion' is missing"],
    ['apiVersion: v1\nkind: Other', 'no kind "Other" is registered for version "v1"'],
    [limitedConfiguration.replace('name: ResourceQuota', 'name: PodSecurity'), 'no kind "ResourceQuotaConfiguration" is registered for version'],
    [limitedConfiguration.replace('kind: ResourceQuotaConfiguration', 'kind: Nothing'), 'no kind "Nothing" is registered for version'],
    [limitedConfiguration.replace('resource: pods', 'resource: 5'), 'limitedResources with a resource'],
    [limitedConfiguration.replace('resource: pods', 'resource: pods\n      apiGroup: 5'), 'limitedResources with a resource'],
    [limitedConfiguration.replace('values: [vip]', 'values: 5'), 'limitedResources with a resource'],
    [limitedConfiguration.replace(/matchContains: .*/, 'matchContains: cpu'), 'limitedResources with a resource'],
    [`${limitedConfiguration.split('plugins:')[0]}plugins: none`, 'plugins: a list is expected'],
  ])('%s is refused', async (text, why) => {
    await expect(aCluster({ nodes: 0, options: { 'admission-control-config-file': text } })).rejects.toThrow(why);
  });
});

describe('what the controller counts of extended resources', () => {
  it('is what pods and claims take together, claims of older versions too, and comes back', async () => {
    const made = await aCluster({ nodes: 0, options: { 'runtime-config': 'resource.k8s.io/v1beta1=true,resource.k8s.io/v1beta2=true' } });
    const of = (version: string): string => `/apis/resource.k8s.io/${version}/namespaces/default/resourceclaims`;
    const exactly = { deviceClassName: 'serving', allocationMode: 'ExactCount', count: 2 };
    made.call('POST', '/apis/resource.k8s.io/v1/deviceclasses', {
      metadata: { name: 'serving' },
      spec: { extendedResourceName: 'example.com/served' },
    });
    made.call('POST', of('v1'), { metadata: { name: 'a' }, spec: { devices: { requests: [{ name: 'r', exactly }] } } });
    made.call('POST', of('v1beta2'), { metadata: { name: 'b' }, spec: { devices: { requests: [{ name: 'r', exactly }] } } });
    made.call('POST', of('v1beta1'), { metadata: { name: 'c' }, spec: { devices: { requests: [{ name: 'r', ...exactly }] } } });
    const resources = { limits: { 'example.com/served': '3' } };
    await made.advance(2000);
    made.call('POST', '/api/v1/namespaces/default/pods', { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i', resources }] } });
    const hard = { 'requests.example.com/served': '20', 'requests.deviceclass.resource.kubernetes.io/serving': '20' };
    made.call('POST', '/api/v1/namespaces/default/resourcequotas', { metadata: { name: 'q' }, spec: { hard } });
    const used = async (): Promise<unknown> => {
      await made.advance(2000);
      return made.call<ResourceQuota>('GET', '/api/v1/namespaces/default/resourcequotas/q').status?.used;
    };
    expect(await used()).toEqual({ 'requests.example.com/served': '9', 'requests.deviceclass.resource.kubernetes.io/serving': '6' });
    made.call('DELETE', `${of('v1beta1')}/c`);
    expect(await used()).toEqual({ 'requests.example.com/served': '7', 'requests.deviceclass.resource.kubernetes.io/serving': '4' });
  });
});

describe('release 1.13', () => {
  const place = (group: string, resource: string): string => `/apis/${group}/namespaces/default/${resource}`;
  const quota = '/api/v1/namespaces/default/resourcequotas';
  const hard = {
    'count/deployments.extensions': '2',
    'count/deployments.apps': '3',
    'count/ingresses.extensions': '1',
    'count/replicasets.apps': '9',
    'count/replicasets.extensions': '9',
    'count/events': '9',
    'count/events.events.k8s.io': '9',
  };
  const spec = {
    replicas: 0,
    selector: { matchLabels: { a: 'b' } },
    template: { metadata: { labels: { a: 'b' } }, spec: { containers: [] as object[] } },
  };
  spec.template.spec.containers.push({ name: 'c', image: 'nginx' });

  // What a real 1.13.12 with its controller manager had in its status, step by step; `count/events` alone was without effect there too.
  it('charges the group that was asked, and counts a kind of two groups under both', async () => {
    const made = await aCluster({ nodes: 0, release: '1.13' });
    const { 'count/events': _, ...counted } = hard;
    made.call('POST', quota, { metadata: { name: 'q' }, spec: { hard: counted } });
    await made.advance(5_000);
    const used = (): unknown => made.call<ResourceQuota>('GET', `${quota}/q`).status?.used;
    const none = Object.fromEntries(Object.keys(counted).map((name) => [name, '0']));
    expect(used()).toEqual(none);
    made.call('POST', place('apps/v1', 'deployments'), { metadata: { name: 'd1' }, spec });
    await made.advance(5_000);
    expect(used()).toEqual({ ...none, 'count/deployments.apps': '1', 'count/replicasets.apps': '1' });
    for (const name of ['d2', 'd3']) made.call('POST', place('extensions/v1beta1', 'deployments'), { metadata: { name }, spec });
    for (const name of ['d4', 'd5']) made.call('POST', place('apps/v1', 'deployments'), { metadata: { name }, spec });
    const ingress = (name: string): object => ({ metadata: { name }, spec: { backend: { serviceName: 's', servicePort: 80 } } });
    made.call('POST', place('extensions/v1beta1', 'ingresses'), ingress('i1'));
    expect(() => made.call('POST', place('extensions/v1beta1', 'ingresses'), ingress('i2'))).toThrow(
      'ingresses.extensions "i2" is forbidden: exceeded quota: q, requested: count/ingresses.extensions=1, used: count/ingresses.extensions=1, limited: count/ingresses.extensions=1',
    );
    await made.advance(5_000);
    expect(used()).toMatchObject({ 'count/deployments.apps': '3', 'count/deployments.extensions': '2', 'count/replicasets.apps': '5' });
    made.call('DELETE', `${place('apps/v1', 'deployments')}/d1`);
    await made.advance(5_000);
    expect(used()).toEqual({
      'count/deployments.apps': '4',
      'count/deployments.extensions': '4',
      'count/events.events.k8s.io': '0',
      'count/ingresses.extensions': '1',
      'count/replicasets.apps': '4',
      'count/replicasets.extensions': '4',
    });
  });

  it('never counts Events of the core group, nor does 1.36', async () => {
    for (const release of ['1.13', '1.36']) {
      const made = await aCluster({ nodes: 0, release });
      made.call('POST', quota, { metadata: { name: 'q' }, spec: { hard: { 'count/events': '9', 'count/events.events.k8s.io': '9' } } });
      await made.advance(5_000);
      const used = made.call<ResourceQuota>('GET', `${quota}/q`).status?.used;
      expect({ release, used }).toEqual({ release, used: release === '1.13' ? { 'count/events.events.k8s.io': '0' } : undefined });
    }
  });
});
