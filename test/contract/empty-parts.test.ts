/** What a real 1.36.3 makes of parts that say nothing, and of what their absence means once an object is stored. */
import { beforeAll, expect, it } from 'vitest';
import { aCluster, ask as askDoor, type TestCluster } from '../support/cluster.ts';

let tank: TestCluster;
const metadata = { name: 'a' };
const inDefault = '/api/v1/namespaces/default';
const apis = '/apis';

interface Answer {
  readonly status: number;
  readonly body: { readonly message?: string; readonly [field: string]: unknown };
}

const ask = (method: string, path: string, body?: unknown): Answer => {
  const { status, object } = askDoor<Answer['body']>(tank.door, method, path, body);
  return { status, body: object };
};
const messageOf = (method: string, path: string, body: unknown): string => ask(method, path, body).body.message ?? '';

beforeAll(async () => {
  tank = await aCluster({ nodes: 0 });
});

it('refuses rules of scaling without a policy, and fills in those that name none', () => {
  const path = `${apis}/autoscaling/v2/namespaces/default/horizontalpodautoscalers`;
  const scaler = (behavior: object): object => ({
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata,
    spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' }, maxReplicas: 3, behavior },
  });
  for (const direction of ['scaleUp', 'scaleDown']) {
    const text = `HorizontalPodAutoscaler.autoscaling "a" is invalid: spec.behavior.${direction}.policies: Required value: must specify at least one Policy`;
    expect(messageOf('POST', path, scaler({ [direction]: { policies: [] } }))).toBe(text);
  }
  expect(ask('POST', path, scaler({ scaleUp: {} })).status).toBe(201);
  expect(messageOf('PUT', `${path}/a`, scaler({ scaleUp: { policies: [] } }))).toContain('must specify at least one Policy');
});

it('takes a version of the group without a name for one, where an autoscaler looks at an object', () => {
  const path = `${apis}/autoscaling/v2/namespaces/default/horizontalpodautoscalers?dryRun=All`;
  const scaler = (apiVersion: string): object => ({
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'b' },
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
      maxReplicas: 3,
      metrics: [
        {
          type: 'Object',
          object: { metric: { name: 'm' }, describedObject: { apiVersion, kind: 'Pod', name: 'p' }, target: { type: 'Value', value: '1' } },
        },
      ],
    },
  });
  expect(ask('POST', path, scaler('/abs')).status).toBe(201);
  expect(messageOf('POST', path, scaler('a/b/c'))).toContain('apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c');
});

it('forbids lists and maps of an ephemeral container that it cannot have, empty ones too', () => {
  const template = (container: object): object => ({
    apiVersion: 'v1',
    kind: 'PodTemplate',
    metadata: { name: 'e' },
    template: {
      spec: { containers: [{ name: 'c', image: 'i' }], ephemeralContainers: [{ name: 'd', image: 'i', ...container }] },
    },
  });
  const told = (container: object): string => messageOf('POST', `${inDefault}/podtemplates?dryRun=All`, template(container));
  const text = 'Forbidden: cannot be set for an Ephemeral Container';
  expect(told({ resources: { limits: {} } })).toContain(`template.spec.ephemeralContainers[0].resources: ${text}`);
  expect(told({ ports: [] })).toContain(`template.spec.ephemeralContainers[0].ports: ${text}`);
  expect(told({ resources: {} })).not.toContain(text);
});

it('shows a reference of an event that says nothing with all that it could say', () => {
  const path = `${apis}/events.k8s.io/v1/namespaces/default/events`;
  const event = {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: { name: 'e' },
    eventTime: '2026-01-01T00:00:00.000000Z',
    reportingController: 'c.example.com/x',
    reportingInstance: 'i',
    action: 'A',
    reason: 'R',
    type: 'Normal',
    regarding: { kind: 'Pod', namespace: 'default', name: 'p' },
  };
  expect(ask('POST', path, event).status).toBe(201);
  expect(messageOf('PUT', `${path}/e`, { ...event, related: {} })).toContain(
    'related: Invalid value: {"Kind":"","Namespace":"","Name":"","UID":"","APIVersion":"","ResourceVersion":"","FieldPath":""}: field is immutable',
  );
});

it('tells of devices that others hold before it tells of metadata', () => {
  const claim = {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaim',
    metadata: { name: 'c', ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Deployment', uid: 'u' }] },
    spec: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'd', adminAccess: true } }] } },
  };
  const faults = messageOf('POST', `${apis}/resource.k8s.io/v1/namespaces/default/resourceclaims`, claim);
  expect(faults).toMatch(/is invalid: \[spec\.devices\.requests\[0\]\.adminAccess: Forbidden: .*, metadata\.ownerReferences\.name: Invalid value/);
});

it('gives a controller whose status is written without labels those of its template again', () => {
  const labels = { app: 'n' };
  const controller = (template: object): object => ({
    apiVersion: 'v1',
    kind: 'ReplicationController',
    metadata: { name: 'r' },
    spec: { template: { metadata: template, spec: { containers: [{ name: 'c', image: 'i' }] } } },
  });
  expect(ask('POST', `${inDefault}/replicationcontrollers`, controller({ labels })).status).toBe(201);
  const { body } = ask('PUT', `${inDefault}/replicationcontrollers/r/status`, controller({ labels: {} }));
  expect(body['metadata']).toMatchObject({ labels });
});

it('knows which version of a definition is stored, whatever its status says', () => {
  const path = `${apis}/apiextensions.k8s.io/v1/customresourcedefinitions`;
  const names = { plural: 'ones', singular: 'one', kind: 'One', listKind: 'OneList' };
  const versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }];
  const definition = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata: { name: 'ones.example.com' } };
  const spec = { group: 'example.com', scope: 'Namespaced', names, versions };
  const made = ask('POST', path, { ...definition, spec }).body as { readonly metadata: { readonly resourceVersion: string } };
  const meta = { ...definition.metadata, resourceVersion: made.metadata.resourceVersion };
  const written = ask('PUT', `${path}/ones.example.com/status?dryRun=All`, { ...definition, metadata: meta, spec: {}, status: { conditions: [] } });
  expect(written.body['status']).toMatchObject({ storedVersions: ['v1'] });
});

it('lists an event by its name as it is now, whatever revision the list is of', () => {
  const path = `${inDefault}/events`;
  const event = { apiVersion: 'v1', kind: 'Event', metadata: { name: 'f' }, involvedObject: { namespace: 'default' } };
  const { resourceVersion } = ask('POST', path, event).body['metadata'] as { readonly resourceVersion: string };
  ask('DELETE', `${path}/f`);
  const listed = (query: string): unknown =>
    ask('GET', `${path}?fieldSelector=metadata.name%3Df&resourceVersion=${resourceVersion}${query}`).body['items'];
  expect(listed('&limit=1')).toEqual([]);
  expect(listed('&resourceVersionMatch=Exact')).toHaveLength(1);
});

it('keeps a namespace whose first delete finds nothing to empty, until it is deleted again', () => {
  const path = '/api/v1/namespaces';
  ask('POST', path, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n' } });
  ask('PUT', `${path}/n/finalize`, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n' }, spec: { finalizers: [] } });
  const first = ask('DELETE', `${path}/n?propagationPolicy=Foreground`);
  expect(first.body).toMatchObject({ metadata: { finalizers: ['foregroundDeletion'] }, status: { phase: 'Terminating' } });
  expect(first.body['metadata']).not.toHaveProperty('deletionGracePeriodSeconds');
  expect(ask('DELETE', `${path}/n`).body).toMatchObject({ metadata: { deletionGracePeriodSeconds: 0 } });
});

it('shows what a selector says in a difference, without what is empty in it', () => {
  const path = `${inDefault}/persistentvolumeclaims`;
  const claim = (selector?: object): object => ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'p' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, selector },
  });
  ask('POST', path, claim());
  const message = messageOf('PUT', `${path}/p`, claim({ matchLabels: { a: 'b' }, matchExpressions: [] }));
  expect(message).toContain('+ "Selector": {\n+  "matchLabels": {\n+   "a": "b"\n+  }\n+ },');
});

it('says nothing of empty lists that a gate has taken away', () => {
  const attributes = { a: { int: 2, bool: true, bools: [] } };
  const slice = {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceSlice',
    metadata: { name: 's' },
    spec: { driver: 'd', nodeName: 'n', pool: { name: 'p', generation: 1, resourceSliceCount: 1 }, devices: [{ name: 'v', attributes }] },
  };
  expect(messageOf('POST', `${apis}/resource.k8s.io/v1/resourceslices`, slice)).toContain(
    '"IntValues":null,"BoolValues":null,"StringValues":null,"VersionValues":null}: exactly one value must be specified',
  );
});

it('shows a budget with its selector, without what is empty in it', () => {
  const selector = { matchLabels: {}, matchExpressions: [{ key: 'a', operator: 'Exists', values: [] }] };
  const budget = {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'b' },
    spec: { minAvailable: 1, maxUnavailable: 1, selector },
  };
  expect(messageOf('POST', `${apis}/policy/v1/namespaces/default/poddisruptionbudgets`, budget)).toContain(
    'spec: Invalid value: {"MinAvailable":1,"Selector":{"matchExpressions":[{"key":"a","operator":"Exists"}]},"MaxUnavailable":1,',
  );
});
