/** What a release decides of a cluster: its groups, its version, its gates and its defaults. The judge of 1.13 is the seeds' list. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Node } from '../../engine/api/core/v1/types.gen.ts';
import { Settings, SettingsError } from '../../engine/cluster/settings.ts';
import { createSchemaRegistry } from '../../engine/api/schemas.ts';
import type { KubeObject } from '../../engine/apimachinery/object.ts';
import type { FieldSchema, SchemaRegistry } from '../../engine/apimachinery/schema.ts';
import { kinds } from '../../engine/kinds/index.gen.ts';
import { mustGetRelease, releases } from '../../engine/releases/releases.ts';
import { servedKinds } from '../../engine/releases/served-kinds.ts';
import { formatGroupVersion } from '../../engine/apimachinery/object.ts';
import type { JsonValue } from '../../engine/base/json.ts';
import { aCluster, madeCluster, type TestCluster } from '../support/cluster.ts';
import { asker, eventsOf } from './seeds-client.ts';
import { type Ask, asking } from './trust/asking.ts';
import { defaultConfig, documentedStartMs } from '../../engine/cluster/config.ts';
import { configOf, headOf } from '../../engine/host/session.ts';
import { adminIdentity } from '../../engine/cluster/identities.ts';

interface GroupList {
  readonly groups: readonly { readonly name: string; readonly versions: readonly { readonly version: string }[] }[];
}

const template = { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'nginx' }] } };
const deployment = (apiVersion: string, name: string): object => ({
  apiVersion,
  kind: 'Deployment',
  metadata: { name },
  spec: { replicas: 2, selector: { matchLabels: { app: 'a' } }, template },
});

describe.each(releases.map((release) => [release.name, release] as const))('release %s', (_name, release) => {
  it('names plugins, gates and options once, and versions that there are', () => {
    for (const names of [release.admissionOrder, release.featureGates.map((gate) => gate.name), release.versions.hidden, release.versions.off])
      expect(names).toEqual([...new Set(names)]);
    const known = new Set(kinds.map((kind) => formatGroupVersion(kind)));
    for (const groupVersion of [...release.versions.hidden, ...release.versions.off]) expect(known).toContain(groupVersion);
  });

  it('serves the stored version of whatever it serves', () => {
    const served = servedKinds(release, kinds, new Map(), () => true);
    const names = new Set(served.map((kind) => `${formatGroupVersion(kind)}/${kind.plural}`));
    for (const kind of served) {
      if (kind.storage === undefined) continue;
      const { group = kind.group, version } = kind.storage;
      expect(names).toContain(`${formatGroupVersion({ group, version })}/${kind.plural}`);
    }
  });

  it('tells of resources, columns, messages, fields and gates that there are', () => {
    const schemas = createSchemaRegistry();
    for (const [resource, { columns, laterSubresources = [] }] of Object.entries(release.kinds)) {
      const [plural, ...group] = resource.split('.');
      const told = kinds.filter((kind) => kind.plural === plural && kind.group === group.join('.'));
      expect(told, resource).not.toEqual([]);
      for (const kind of told) {
        for (const column of typeof columns === 'string' ? [] : (columns ?? [])) {
          if (column.path === undefined)
            expect(
              kind.columns?.map(({ name }) => name),
              resource,
            ).toContain(column.name);
          else expect(fieldAt(schemas, String(kind.schema), column.path.split('.')), `${resource} ${column.path}`).toBe(true);
        }
        for (const name of laterSubresources) expect(Object.keys(kind.subresources ?? {}), resource).toContain(name);
      }
    }
    const gates = new Set(release.featureGates.map((gate) => gate.name));
    const { later, writtenZeros, gated, laterValues } = release.fields;
    for (const [message, fields] of [later, writtenZeros].flatMap((table) => Object.entries(table)))
      for (const field of fields) expect(fieldAt(schemas, message, [field]), `${message} ${field}`).toBe(true);
    for (const [message, fields] of Object.entries(gated))
      for (const [field, gate] of Object.entries(fields)) {
        expect(fieldAt(schemas, message, [field]), `${message} ${field}`).toBe(true);
        expect(gates).toContain(gate);
        expect(later[message] ?? []).not.toContain(field);
      }
    for (const [message, fields] of Object.entries(laterValues))
      for (const [field, { later: since, known, gate }] of Object.entries(fields)) {
        expect(fieldAt(schemas, message, [field]), `${message} ${field}`).toBe(true);
        expect(since.filter((value) => known.includes(value))).toEqual([]);
        if (gate !== undefined) expect(gates).toContain(gate);
      }
  });

  it('accounts for every group and version of the kinds', () => {
    const { listed, hidden, off, absent } = release.versions;
    for (const [groupVersion, resources] of Object.entries(listed ?? {})) {
      expect(resources, groupVersion).toEqual([...new Set(resources)]);
      expect(hidden).not.toContain(groupVersion);
    }
    for (const groupVersion of hidden) expect(off).not.toContain(groupVersion);
    const served = servedKinds(release, kinds, new Map(), () => true);
    for (const kind of kinds) {
      const found = served.find((one) => one.group === kind.group && one.version === kind.version && one.plural === kind.plural);
      const isAbsent = absent[formatGroupVersion(kind)]?.includes(kind.plural) === true;
      expect(found === undefined, `${formatGroupVersion(kind)} ${kind.plural}`).toBe(isAbsent || off.includes(formatGroupVersion(kind)));
    }
  });

  it('never serves what it does not know', () => {
    const all = servedKinds(release, kinds, new Map([['api/all', 'true']]), () => true);
    for (const [groupVersion, resources] of Object.entries(release.versions.absent))
      for (const plural of resources) {
        expect(
          kinds.some((kind) => formatGroupVersion(kind) === groupVersion && kind.plural === plural),
          `${groupVersion} ${plural}`,
        ).toBe(true);
        expect(release.versions.listed?.[groupVersion] ?? []).not.toContain(plural);
        expect(all.find((kind) => formatGroupVersion(kind) === groupVersion && kind.plural === plural)).toBeUndefined();
      }
  });

  it('brings roles to bind, and a Deployment to its pods', async () => {
    const names = (kind: string): ReadonlySet<string | undefined> =>
      new Set(release.bootstrapPolicy.filter((object) => object.kind === kind).map((object) => object.metadata.name));
    for (const { kind, roleRef } of release.bootstrapPolicy as readonly (KubeObject & {
      readonly roleRef?: { readonly kind: string; readonly name: string };
    })[])
      if (kind === 'ClusterRoleBinding' && roleRef !== undefined) expect(names(roleRef.kind)).toContain(roleRef.name);
    const test = await aCluster({ nodes: 2, release: release.name });
    test.call('POST', '/apis/apps/v1/namespaces/default/deployments', deployment('apps/v1', 'web'));
    await test.advance(60_000);
    expect(test.call('GET', '/apis/apps/v1/namespaces/default/deployments/web')).toMatchObject({ status: { availableReplicas: 2 } });
    expect(test.call<Node>('GET', '/api/v1/nodes/node-0').status?.nodeInfo?.kubeletVersion).toBe(release.gitVersion);
  });

  it('has defaults that its own options accept', () => {
    expect(new Settings({}, release).changed()).toEqual({});
  });
});

/** Whether a message has a field at the path; JSON lays inlined messages into their owner. */
function fieldAt(schemas: SchemaRegistry, message: string, [name, ...rest]: readonly string[]): boolean {
  const { fields } = schemas.mustGet(message);
  const inner = ({ type }: FieldSchema): string => (typeof type === 'string' ? '' : type.message);
  const field = fields.find((one) => one.inline !== true && one.name === name);
  if (field !== undefined) return rest.length === 0 || (inner(field) !== '' && fieldAt(schemas, inner(field), rest));
  return fields.some((one) => one.inline === true && fieldAt(schemas, inner(one), [name ?? '', ...rest]));
}

it('a session goes on as the release it began with', () => {
  const config = { ...defaultConfig, startMs: documentedStartMs, release: '1.13' };
  expect(configOf(headOf(config)).release).toBe('1.13');
  expect(headOf({ ...defaultConfig, startMs: documentedStartMs }).config).toMatchObject({ release: '1.36' });
});

describe('options by release', () => {
  it('have the defaults of the release', () => {
    expect(new Settings().text('node-monitor-grace-period')).toBe('50s');
    expect(new Settings({}, mustGetRelease('1.13')).text('node-monitor-grace-period')).toBe('40s');
    expect(new Settings({}, mustGetRelease('1.13')).text('leader-elect-resource-lock')).toBe('endpoints');
  });

  it('know the gates of the release', () => {
    const gates = { 'feature-gates': 'TTLAfterFinished=true' };
    expect(new Settings(gates, mustGetRelease('1.13')).text('feature-gates')).toBe('TTLAfterFinished=true');
    expect(() => new Settings(gates)).toThrow(SettingsError);
    expect(() => new Settings(gates)).toThrow('unrecognized feature gate: TTLAfterFinished');
  });
});

describe('times by release', () => {
  const namespaces = '/api/v1/namespaces';
  interface Cleared {
    readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string; readonly lastHeartbeatTime: string }[] };
  }
  const readyOf = (test: TestCluster): { readonly status: string; readonly lastHeartbeatTime: string } | undefined =>
    test.call<KubeObject & Cleared>('GET', '/api/v1/nodes/node-0').status?.conditions?.find(({ type }) => type === 'Ready');

  it.each([
    ['1.36', {}, true, 300_000],
    ['1.13', {}, false, 10_000],
    ['1.13', { 'feature-gates': 'NodeLease=true' }, true, 10_000],
  ])('of %s with %j: leases %s, a status every %d ms', async (release, options, leases, reportMs) => {
    const test = await aCluster({ nodes: 1, release, options });
    await test.advance(60_000);
    expect(test.ask('GET', `${namespaces}/kube-node-lease`).status).toBe(leases ? 200 : 404);
    expect(test.cluster.stored('leases/kube-node-lease')).toHaveLength(leases ? 1 : 0);
    const before = readyOf(test)?.lastHeartbeatTime;
    await test.advance(30_000);
    expect(readyOf(test)?.lastHeartbeatTime !== before).toBe(reportMs <= 30_000);
    await test.advance(20 * 60_000);
    expect(readyOf(test)?.status).toBe('True');
  });

  it.each([
    ['1.36', 8],
    ['1.13', 5],
  ])('of %s: a container that ends again and again has a count of %d', async (release, count) => {
    interface Statuses {
      readonly status?: { readonly containerStatuses?: readonly { readonly restartCount: number }[] };
    }
    const test = await aCluster({ nodes: 1, release });
    await test.advance(10_000);
    const containers = [{ name: 'c', image: 'busybox', command: ['sh', '-c', 'exit 1'] }];
    test.call('POST', `${namespaces}/default/pods`, { metadata: { name: 'p' }, spec: { containers } });
    // At once, then after 10, 20, 40, 80, 160, 300 and 300 s.
    await test.advance(1_000_000);
    expect(test.call<KubeObject & Statuses>('GET', `${namespaces}/default/pods/p`).status?.containerStatuses?.[0]?.restartCount).toBe(count);
  });

  it.each([
    ['1.36', 50_000],
    ['1.13', 40_000],
  ])('of %s: a silent node is given up after %d ms', async (release, graceMs) => {
    const test = await aCluster({ nodes: 1, release });
    await test.advance(60_000);
    const startMs = test.cluster.loop.nowMs();
    const fault = { metadata: { name: 'dark' }, spec: { type: 'node-power-loss', target: { node: 'node-0' }, duration: '10m' } };
    test.call('POST', '/apis/sim.wavetank.dev/v1alpha1/faults', fault);
    while (readyOf(test)?.status === 'True' && test.cluster.loop.nowMs() < startMs + 120_000) await test.advance(1000);
    const silentMs = test.cluster.loop.nowMs() - startMs;
    // The last sign of life is up to ten seconds old, and the monitor looks every five: at that, and at the end of its patience.
    expect(silentMs).toBeGreaterThan(graceMs - 11_000);
    expect(silentMs).toBeLessThanOrEqual(graceMs + 10_000);
  });

  it.each([
    ['1.36', 600],
    ['1.13', 360],
  ])('of %s: a Job waits at most %d s before it replaces a pod', async (release, seconds) => {
    const test = await aCluster({ nodes: 1, release });
    const spec = {
      backoffLimit: 20,
      template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'busybox', command: ['false'] }] } },
    };
    test.call('POST', '/apis/batch/v1/namespaces/default/jobs', { metadata: { name: 'j' }, spec });
    await test.advance(90 * 60_000);
    const { items } = test.call<{ readonly items: readonly KubeObject[] }>('GET', '/api/v1/namespaces/default/pods?labelSelector=job-name%3Dj');
    const starts = items.map(({ metadata }) => Date.parse(metadata.creationTimestamp ?? '')).sort((a, b) => a - b);
    const gaps = starts.slice(1).map((ms, index) => (ms - (starts[index] ?? 0)) / 1000);
    expect(Math.max(...gaps)).toBeGreaterThanOrEqual(seconds);
    expect(Math.max(...gaps)).toBeLessThan(seconds + 20);
  });
});

it.each(releases.map((release) => release.name))('a saved cluster of %s goes on as it would have', async (release) => {
  const whole = await aCluster({ seed: 3, nodes: 2, release });
  whole.call('POST', '/apis/apps/v1/namespaces/default/deployments', deployment('apps/v1', 'web'));
  await whole.advance(20_000);
  await whole.quiet();
  const saved = JSON.parse(JSON.stringify(whole.cluster.save())) as JsonValue;
  const restored = madeCluster({ seed: 3, nodes: 2, release });
  restored.cluster.restore(saved);
  restored.door.continueAfter(whole.door.inputs);
  for (const one of [whole, restored]) {
    one.call('PATCH', '/apis/apps/v1/namespaces/default/deployments/web', { spec: { replicas: 3 } }, 'application/merge-patch+json');
    await one.advance(60_000);
  }
  expect(restored.cluster.digest).toBe(whole.cluster.digest);
  expect(restored.call('GET', '/apis/apps/v1/namespaces/default/deployments/web')).toMatchObject({ status: { availableReplicas: 3 } });
});

describe('a cluster of release 1.13', () => {
  let test: TestCluster;
  let ask: Ask;
  beforeAll(async () => {
    test = await aCluster({ nodes: 2, release: '1.13' });
    ask = asking(test, adminIdentity);
  });

  it('lists the groups of the seeds in their order', () => {
    const { groups } = test.call<GroupList>('GET', '/apis');
    const listed = groups.map(({ name, versions }) => `${name}: ${versions.map(({ version }) => version).join(' ')}`);
    expect(listed).toEqual([
      'apiregistration.k8s.io: v1 v1beta1',
      'extensions: v1beta1',
      'apps: v1 v1beta2 v1beta1',
      'events.k8s.io: v1beta1',
      'authentication.k8s.io: v1 v1beta1',
      'authorization.k8s.io: v1 v1beta1',
      'autoscaling: v1 v2beta1 v2beta2',
      'batch: v1 v1beta1',
      'certificates.k8s.io: v1beta1',
      'networking.k8s.io: v1',
      'policy: v1beta1',
      'rbac.authorization.k8s.io: v1 v1beta1',
      'storage.k8s.io: v1 v1beta1',
      'admissionregistration.k8s.io: v1beta1',
      'apiextensions.k8s.io: v1beta1',
      'scheduling.k8s.io: v1beta1',
      'coordination.k8s.io: v1beta1',
      'federation: v1beta1',
      'metrics.k8s.io: v1beta1',
      'snapshot.storage.k8s.io: v1',
      'kwok.x-k8s.io: v1alpha1',
      'sim.wavetank.dev: v1alpha1',
    ]);
  });

  it.each([
    [
      '/apis/extensions/v1beta1',
      ['daemonsets', 'deployments', 'ingresses', 'networkpolicies', 'podsecuritypolicies', 'replicasets', 'replicationcontrollers'],
    ],
    ['/apis/batch/v1', ['jobs']],
    ['/apis/batch/v1beta1', ['cronjobs']],
    ['/apis/networking.k8s.io/v1', ['networkpolicies']],
    ['/apis/authentication.k8s.io/v1', ['tokenreviews']],
    ['/apis/federation/v1beta1', ['clusters']],
  ])('lists the resources of %s', (path, want) => {
    const { resources } = test.call<{ readonly resources: readonly { readonly name: string }[] }>('GET', path);
    expect(resources.map(({ name }) => name).filter((name) => !name.includes('/'))).toEqual(want);
  });

  it('says that it is 1.13, and so do its nodes', () => {
    const version = test.call<{ readonly [key: string]: string }>('GET', '/version');
    expect(version).toMatchObject({ major: '1', minor: '13', gitVersion: 'v1.13.12+wavetank' });
    expect(Object.keys(version).sort()).toEqual(
      ['buildDate', 'compiler', 'gitCommit', 'gitTreeState', 'gitVersion', 'goVersion', 'major', 'minor', 'platform'].sort(),
    );
    expect(test.call<Node>('GET', '/api/v1/nodes/node-0').status?.nodeInfo?.kubeletVersion).toBe('v1.13.12');
  });

  it('answers nobody outside in versions that came later', () => {
    // A group that is not there is a path that is not there, in plain text.
    expect(() => ask('GET', '/apis/discovery.k8s.io/v1/endpointslices')).toThrow(SyntaxError);
    for (const path of ['/apis/coordination.k8s.io/v1/leases', '/apis/policy/v1/poddisruptionbudgets', '/apis/batch/v1/cronjobs'])
      expect(ask('GET', path).code).toBe(404);
    expect(ask('POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', {}).code).toBe(404);
  });

  it('runs what is written in the versions of the seeds, without a warning', async () => {
    const made = ask('POST', '/apis/extensions/v1beta1/namespaces/default/deployments', deployment('extensions/v1beta1', 'old'));
    expect(made.code).toBe(201);
    await test.advance(60_000);
    expect(test.call('GET', '/apis/extensions/v1beta1/namespaces/default/deployments/old')).toMatchObject({ status: { availableReplicas: 2 } });
    expect(test.call('GET', '/apis/apps/v1/namespaces/default/deployments/old')).toMatchObject({ apiVersion: 'apps/v1' });
    const answer = test.door.serveAtOnce({
      method: 'GET',
      path: '/apis/extensions/v1beta1/deployments',
      query: '',
      headers: { accept: 'application/json' },
      body: new Uint8Array(0),
      identity: adminIdentity,
    });
    expect('headers' in answer && answer.headers['warning']).toBe(undefined);
  });

  it('has the roles of its time, and components that may do what they need all the same', () => {
    const { items } = test.call<{ readonly items: readonly { readonly metadata: { readonly name: string } }[] }>(
      'GET',
      '/apis/rbac.authorization.k8s.io/v1/clusterroles',
    );
    const names = items.map(({ metadata }) => metadata.name);
    expect(names).toContain('system:controller:replicaset-controller');
    // Slices of endpoints came later, and so did their controller's role.
    expect(names).not.toContain('system:controller:endpointslice-controller');
    expect(test.cluster.stored('endpointslices')).not.toEqual([]);
    // What components may is theirs: a user of the same groups may not.
    const slices = { user: 'someone', resourceAttributes: { verb: 'create', group: 'discovery.k8s.io', resource: 'endpointslices' } };
    expect(ask('POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews', { spec: slices }).body['status']).toMatchObject({ allowed: false });
  });

  it('keeps the rules of its time', async () => {
    const jobs = '/apis/batch/v1/namespaces/default/jobs';
    const job = ask('POST', `${jobs}?dryRun=All`, {
      metadata: { name: 'j' },
      spec: { template: { spec: { ...template.spec, restartPolicy: 'Never' } } },
    });
    const { metadata, spec } = job.body as unknown as KubeObject & {
      readonly spec: { readonly manualSelector?: boolean; readonly selector: object };
    };
    expect(spec.selector).toEqual({ matchLabels: { 'controller-uid': metadata.uid } });
    expect(metadata.labels).toEqual({ 'controller-uid': metadata.uid, 'job-name': 'j' });
    expect(spec.manualSelector).toBe(undefined);
    expect(ask('POST', '/api/v1/namespaces?dryRun=All', { metadata: { name: 'n' } }).body['metadata']).not.toHaveProperty('labels');

    const budgets = '/apis/policy/v1beta1/namespaces/default/poddisruptionbudgets';
    expect(ask('POST', budgets, { metadata: { name: 'b' }, spec: { minAvailable: 1, selector: { matchLabels: { a: 'b' } } } }).code).toBe(201);
    const changed = ask('PATCH', `${budgets}/b`, { spec: { minAvailable: 2 } }, 'application/merge-patch+json');
    expect(changed.message).toContain('spec: Forbidden: updates to poddisruptionbudget spec are forbidden.');
    expect(ask('PATCH', `${budgets}/b`, { metadata: { labels: { x: 'y' } } }, 'application/merge-patch+json').code).toBe(200);

    const bare = ask('POST', '/api/v1/namespaces/default/configmaps', { metadata: { name: 'c', finalizers: ['nope', 'orphan', 'a.b/c'] } });
    expect(bare.message).toBe(
      'ConfigMap "c" is invalid: metadata.finalizers[0]: Invalid value: "nope": name is neither a standard finalizer name nor is it fully qualified',
    );
    expect(ask('POST', '/api/v1/namespaces/default/services', { metadata: { name: '1abc' }, spec: { ports: [{ port: 80 }] } }).message).toContain(
      'metadata.name: Invalid value: "1abc": a DNS-1035 label',
    );
  });

  it('gives every object and list its path', async () => {
    const path = '/api/v1/namespaces/default/configmaps';
    const made = ask('POST', path, { metadata: { name: 'linked', selfLink: '/elsewhere' }, data: { a: 'b' } }).body;
    expect(made['metadata']).toMatchObject({ selfLink: `${path}/linked` });
    expect(ask('PUT', `${path}/linked`, made).body).toEqual(made);
    expect(ask('PATCH', `${path}/linked`, made, 'application/merge-patch+json').body).toEqual(made);
    expect(test.cluster.store.get('/registry/configmaps/default/linked')?.value.metadata).not.toHaveProperty('selfLink');
    const list = test.call<{ readonly metadata: object; readonly items: readonly KubeObject[] }>('GET', path);
    expect(list.metadata).toMatchObject({ selfLink: path });
    expect(list.items.find(({ metadata }) => metadata.name === 'linked')?.metadata.selfLink).toBe(`${path}/linked`);
    expect(test.call('GET', '/apis/extensions/v1beta1/namespaces/default/deployments/old').metadata.selfLink).toBe(
      '/apis/extensions/v1beta1/namespaces/default/deployments/old',
    );
    expect(test.call('GET', '/api/v1/nodes/node-0').metadata.selfLink).toBe('/api/v1/nodes/node-0');
    expect(eventsOf(asker(test)('GET', `${path}?watch=1&fieldSelector=metadata.name%3Dlinked`))[0]?.object['metadata']).toMatchObject({
      selfLink: `${path}/linked`,
    });
  });

  it('prints the columns of its time', () => {
    const table = (path: string): Record<string, unknown> => {
      const accept = 'application/json;as=Table;g=meta.k8s.io;v=v1beta1';
      const { body, status } = asker(test)('GET', path, { accept });
      const { columnDefinitions = [], rows = [] } = body as unknown as {
        readonly columnDefinitions?: readonly { readonly name: string }[];
        readonly rows?: readonly { readonly cells: readonly unknown[] }[];
      };
      return { status, ...Object.fromEntries(columnDefinitions.map(({ name }, index) => [name, rows[0]?.cells[index]])) };
    };
    expect(table('/api/v1/namespaces/default/pods')).toMatchObject({ Ready: '1/1', Restarts: 0 });
    expect(table('/api/v1/namespaces/default/serviceaccounts')).toMatchObject({ Name: 'default', Secrets: 1 });
    expect(table('/api/v1/namespaces/default/events')).toMatchObject({ Kind: 'Node' });
    expect(Object.keys(table('/apis/extensions/v1beta1/ingresses'))).toEqual(['status', 'Name', 'Hosts', 'Address', 'Ports', 'Age']);
    expect(table('/apis/rbac.authorization.k8s.io/v1/clusterroles')).toEqual({ status: 406 });
  });

  it('is told of versions by --runtime-config all the same', async () => {
    const other = await aCluster({ nodes: 0, release: '1.13', options: { 'runtime-config': 'policy/v1=true,extensions/v1beta1=false' } });
    const names = other.call<GroupList>('GET', '/apis').groups.map((group) => group.name);
    expect(names).not.toContain('extensions');
    expect(asking(other, adminIdentity)('GET', '/apis/policy/v1/poddisruptionbudgets').code).toBe(200);
  });
});
