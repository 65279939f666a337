/** What a real 1.36.3 says of values that are there: in which order, in which words, and how much of a number it keeps. */
import { beforeAll, expect, it } from 'vitest';
import { aCluster, ask as askDoor, type TestCluster } from '../support/cluster.ts';

let tank: TestCluster;
const inDefault = '/api/v1/namespaces/default';

interface Answer {
  readonly message?: string;
  readonly details?: { readonly causes?: readonly { readonly field: string; readonly message: string }[] };
  readonly [field: string]: unknown;
}

const ask = (method: string, path: string, body?: unknown): Answer => askDoor<Answer>(tank.door, method, path, body).object;

beforeAll(async () => {
  tank = await aCluster({ nodes: 0 });
});

it('refuses names in the status of a definition that nothing can be called', () => {
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const names = { plural: 'ones', singular: 'one', kind: 'One', listKind: 'OneList' };
  const versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }];
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'ones.example.com' },
    spec: { group: 'example.com', scope: 'Namespaced', names, versions },
  };
  const { metadata } = ask('POST', path, definition) as { readonly metadata?: unknown };
  const written = (acceptedNames: object): Answer =>
    ask('PUT', `${path}/ones.example.com/status?dryRun=All`, { ...definition, metadata, status: { acceptedNames } });
  expect(written({ plural: 'a/b/c', kind: 'One' }).message).toContain('status.acceptedNames.plural: Invalid value: "a/b/c": a DNS-1035 label must');
  expect(written({ plural: 'ones', kind: 'One' })['status']).toMatchObject({ acceptedNames: { plural: 'ones', kind: 'One' } });
});

it('counts a long name in bytes where declarative validation has taken over, in characters elsewhere', () => {
  const name = 'x'.repeat(254);
  const told = (path: string, apiVersion: string, kind: string): string | undefined =>
    ask('POST', `${path}?dryRun=All`, { apiVersion, kind, metadata: { name }, spec: {} }).message;
  expect(told('/apis/resource.k8s.io/v1/deviceclasses', 'resource.k8s.io/v1', 'DeviceClass')).toContain('must be no more than 253 bytes');
  expect(told(`${inDefault}/replicationcontrollers`, 'v1', 'ReplicationController')).toContain('must be no more than 253 bytes');
  expect(told(`${inDefault}/configmaps`, 'v1', 'ConfigMap')).toContain('must be no more than 253 characters');
});

it('keeps no more than thousandths of what a claim has', () => {
  const claim = {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'p' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  };
  ask('POST', `${inDefault}/persistentvolumeclaims`, claim);
  const amounts = { 'a.b/c': '0.5m', storage: '1Gi' };
  const status = { capacity: amounts, allocatedResources: amounts };
  const rounded = { ...amounts, 'a.b/c': '1m' };
  expect(ask('PUT', `${inDefault}/persistentvolumeclaims/p/status`, { ...claim, status })['status']).toMatchObject({
    capacity: rounded,
    allocatedResources: rounded,
  });
});

it('tells the faults of an address between those of its metadata', () => {
  const path = '/apis/networking.k8s.io/v1/ipaddresses';
  const address = (more: object, parentRef: object): object => ({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'IPAddress',
    metadata: { name: '10.77.15.110', ...more },
    spec: { parentRef: { resource: 'services', namespace: 'default', name: 's', ...parentRef } },
  });
  ask('POST', path, address({}, {}));
  const made = ask('GET', `${path}/10.77.15.110`) as { readonly metadata?: { readonly resourceVersion: string } };
  const changed = address({ finalizers: ['Bad_Name!'], resourceVersion: made.metadata?.resourceVersion }, { group: '-a' });
  const fields = ask('PUT', `${path}/10.77.15.110`, changed).details?.causes?.map(({ field }) => field) ?? [];
  const place = fields.indexOf('spec.parentRef.group');
  expect(place).toBeGreaterThan(0);
  expect(new Set(fields.slice(0, place))).toEqual(new Set(['metadata.finalizers', 'metadata.finalizers[0]']));
  expect(fields.slice(place + 1)).toEqual(['metadata.finalizers[0]', 'spec.parentRef']);
});
