/** What a release decides of a cluster: its groups, its version, its gates and its defaults. The judge of 1.13 is the seeds' list. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Node } from '../../engine/api/core/v1/types.gen.ts';
import { Settings, SettingsError } from '../../engine/cluster/settings.ts';
import { kinds } from '../../engine/kinds/index.gen.ts';
import { mustGetRelease, releases } from '../../engine/releases/releases.ts';
import { servedKinds } from '../../engine/releases/served-kinds.ts';
import { formatGroupVersion } from '../../engine/apimachinery/object.ts';
import { aCluster, type TestCluster } from '../support/cluster.ts';
import { type Ask, asking } from './trust/asking.ts';
import { defaultConfig, documentedStartMs } from '../../engine/cluster/cluster.ts';
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
    const served = servedKinds(release, kinds, new Map());
    const names = new Set(served.map((kind) => `${formatGroupVersion(kind)}/${kind.plural}`));
    for (const kind of served) {
      if (kind.storage === undefined) continue;
      const { group = kind.group, version } = kind.storage;
      expect(names).toContain(`${formatGroupVersion({ group, version })}/${kind.plural}`);
    }
  });

  it('has defaults that its own options accept', () => {
    expect(new Settings({}, release).changed()).toEqual({});
  });
});

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
      'apiregistration.k8s.io: v1',
      'extensions: v1beta1',
      'apps: v1 v1beta2 v1beta1',
      'authentication.k8s.io: v1',
      'authorization.k8s.io: v1',
      'autoscaling: v1',
      'batch: v1 v1beta1',
      'networking.k8s.io: v1',
      'policy: v1beta1',
      'rbac.authorization.k8s.io: v1',
      'storage.k8s.io: v1',
      'federation: v1beta1',
      'sim.wavetank.dev: v1alpha1',
    ]);
  });

  it.each([
    ['/apis/extensions/v1beta1', ['daemonsets', 'deployments', 'ingresses', 'networkpolicies', 'replicasets']],
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
    for (const path of ['/apis/discovery.k8s.io/v1/endpointslices', '/apis/coordination.k8s.io/v1/leases'])
      expect(() => ask('GET', path)).toThrow(SyntaxError);
    for (const path of ['/apis/policy/v1/poddisruptionbudgets', '/apis/batch/v1/cronjobs']) expect(ask('GET', path).code).toBe(404);
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

  it('is told of versions by --runtime-config all the same', async () => {
    const other = await aCluster({ nodes: 0, release: '1.13', options: { 'runtime-config': 'policy/v1=true,extensions/v1beta1=false' } });
    const names = other.call<GroupList>('GET', '/apis').groups.map((group) => group.name);
    expect(names).not.toContain('extensions');
    expect(asking(other, adminIdentity)('GET', '/apis/policy/v1/poddisruptionbudgets').code).toBe(200);
  });
});
