/** What a real 1.13.12 makes of writes that change nothing, name what is gone, or say less than they might. */
import { beforeAll, expect, it } from 'vitest';
import { aCluster, ask as askDoor, type TestCluster } from '../support/cluster.ts';

let tank: TestCluster;
interface Answer {
  readonly metadata?: { readonly resourceVersion?: string; readonly uid?: string };
  readonly message?: string;
  readonly [field: string]: unknown;
}
const ask = (method: string, path: string, body?: unknown): Answer => askDoor<Answer>(tank.door, method, path, body).object;

beforeAll(async () => {
  tank = await aCluster({ nodes: 0, release: '1.13' });
});

const core = '/api/v1/namespaces/default';
const labels = { app: 'a' };

it('stores nothing of a status that is written as it is', () => {
  const path = '/apis/apps/v1/namespaces/default/daemonsets';
  const set = {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: 'd', labels },
    spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } } },
  };
  const made = ask('POST', path, set);
  expect(ask('PUT', `${path}/d/status`, set).metadata?.resourceVersion).toBe(made.metadata?.resourceVersion);
});

it('tells who writes what is gone that it is another', () => {
  const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'gone', uid: 'u' } };
  expect(ask('PUT', `${core}/configmaps/gone`, map).message).toContain('Precondition failed: UID in precondition: u, UID in object meta: ');
});

it('forgets the class of quality of a pod whose status is written without it', () => {
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  ask('POST', '/api/v1/namespaces/default/serviceaccounts', { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } });
  expect(ask('POST', `${core}/pods`, pod)['status']).toMatchObject({ qosClass: 'BestEffort' });
  expect(ask('PUT', `${core}/pods/p/status`, pod)['status']).not.toHaveProperty('qosClass');
});

it('deletes an event of the newer group whatever becomes of dependents, which it has none of', () => {
  const path = '/apis/events.k8s.io/v1beta1/namespaces/default/events';
  const event = {
    apiVersion: 'events.k8s.io/v1beta1',
    kind: 'Event',
    metadata: { name: 'e' },
    eventTime: '2026-01-01T00:00:00.000000Z',
    reportingController: 'c.example.com/x',
    reportingInstance: 'i',
    action: 'A',
    reason: 'R',
    regarding: { namespace: 'default' },
  };
  ask('POST', path, event);
  expect(ask('DELETE', `${path}/e?propagationPolicy=Orphan`)['status']).toBe('Success');
});

it('refuses half of a rolling update beside another strategy as a body that cannot be read', () => {
  const path = '/apis/apps/v1/namespaces/default/deployments';
  const deployment = (strategy: object): object => ({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'd' }, spec: { strategy } });
  const text = 'Deployment in version "v1" cannot be handled as a Deployment: expected pointer, but got nil';
  expect(ask('POST', path, deployment({ type: 'Odd', rollingUpdate: { maxSurge: 1 } }))).toMatchObject({ code: 400, message: text });
  expect(ask('POST', path, deployment({ type: 'Odd', rollingUpdate: { maxSurge: 1, maxUnavailable: 1 } }))).toMatchObject({ code: 422 });
});

it('refuses whatever a claim would be filled from, and looks at no exception of a block behind a wrong one', () => {
  const claim = {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'p' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, dataSource: { apiGroup: 'apps', kind: 'X', name: 'x' } },
  };
  expect(ask('POST', `${core}/persistentvolumeclaims`, claim).message).toContain('VolumeSnapshotDataSource is disabled by feature-gate');
  const policy = {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: 'n' },
    spec: { podSelector: {}, egress: [{ to: [{ ipBlock: { cidr: '10.0.0.0/8', except: ['../x', 'fd00::1'] } }] }] },
  };
  const { message } = ask('POST', '/apis/networking.k8s.io/v1/namespaces/default/networkpolicies', policy);
  expect(message).toContain('except[0]: Invalid value: "../x": not a valid CIDR');
  expect(message).not.toContain('except[1]');
});

it('tells of handlers and probes of a container before its ports', () => {
  const exec = {};
  const container = { name: 'c', image: 'i', ports: [{ containerPort: 0 }], lifecycle: { postStart: {} }, livenessProbe: { exec } };
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'q' }, spec: { containers: [container] } };
  const { message = '' } = ask('POST', `${core}/pods`, pod);
  const places = ['lifecycle.postStart', 'livenessProbe.exec.command', 'ports[0].containerPort'].map((field) => message.indexOf(field));
  expect(Math.min(...places)).toBeGreaterThan(0);
  expect(places.toSorted((a, b) => a - b)).toEqual(places);
});

it('shows what a revision holds in bytes, a selector it cannot read with its key, and none of a quantity of nothing', () => {
  const path = '/apis/apps/v1/namespaces/default/controllerrevisions';
  const revision = (data: object): object => ({ apiVersion: 'apps/v1', kind: 'ControllerRevision', metadata: { name: 'r' }, revision: 1, data });
  ask('POST', path, revision({ a: 1 }));
  expect(ask('PUT', `${path}/r`, revision({})).message).toContain('Raw:[]uint8{0x7b, 0x7d}, ContentEncoding:"", ContentType:"application/json"}');
  expect(ask('GET', `${core}/pods?labelSelector=-a%3Db`).message).toContain('unable to parse requirement: invalid label key "-a": name part');
  const volume = { apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: 'v' }, spec: { capacity: { k: '0' } } };
  expect(ask('POST', '/api/v1/persistentvolumes', volume).message).toContain('s:"0", Format:"DecimalSI"}}: supported values: "storage"');
});
