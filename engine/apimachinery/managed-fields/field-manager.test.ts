import { expect, test } from 'vitest';
import { createSchemaRegistry } from '../../api/schemas.ts';
import type { KubeObject } from '../object.ts';
import type { JsonObject } from '../../base/json.ts';
import { StatusError } from '../status.ts';
import { createFieldManager } from './field-manager.ts';

const registry = createSchemaRegistry();
const deploymentSchema = registry.mustGet('io.k8s.api.apps.v1.Deployment');
const podSchema = registry.mustGet('io.k8s.api.core.v1.Pod');
const fields = createFieldManager(registry);
const now = '2026-01-01T00:00:00Z';
const later = '2026-01-01T00:01:00Z';

type Json = { readonly [key: string]: unknown };

function deployment(spec: Json, meta: Json = {}): KubeObject {
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web', namespace: 'default', ...meta }, spec } as KubeObject;
}

const nginx = { containers: [{ name: 'nginx', image: 'nginx', ports: [{ containerPort: 80, protocol: 'TCP' }] }] };
const template = { metadata: { labels: { app: 'web' } }, spec: nginx };

function create(next: KubeObject, manager = 'kubectl-create'): KubeObject {
  const managedFields = fields.updateManagedFields({ live: undefined, next, manager, apiVersion: 'apps/v1', now, schema: deploymentSchema });
  return { ...next, metadata: { ...next.metadata, uid: 'u', managedFields } };
}

function update(live: KubeObject, next: KubeObject, manager: string, at = later, extra: Json = {}): KubeObject {
  const managedFields = fields.updateManagedFields({ live, next, manager, apiVersion: 'apps/v1', now: at, schema: deploymentSchema, ...extra });
  return { ...next, metadata: { ...next.metadata, managedFields } };
}

function apply(live: KubeObject | undefined, patch: KubeObject, manager: string, force = false, at = later): KubeObject {
  const result = fields.applyPatch({
    live,
    patch: patch as unknown as JsonObject,
    manager,
    force,
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    now: at,
    schema: deploymentSchema,
  });
  return { ...result.object, metadata: { ...result.object.metadata, uid: 'u', managedFields: result.managedFields } };
}

function owned(object: KubeObject, manager: string): unknown {
  return object.metadata.managedFields?.find((entry) => entry.manager === manager)?.fieldsV1;
}

const bySpec = (object: KubeObject): Json => (object as unknown as { readonly spec: Json }).spec;

test("a create owns everything it sent, in upstream's shape", () => {
  const made = create(deployment({ replicas: 1, selector: { matchLabels: { app: 'web' } }, template }, { labels: { app: 'web' } }));
  expect(made.metadata.managedFields).toEqual([
    {
      manager: 'kubectl-create',
      operation: 'Update',
      apiVersion: 'apps/v1',
      time: now,
      fieldsType: 'FieldsV1',
      fieldsV1: {
        'f:metadata': { 'f:labels': { '.': {}, 'f:app': {} } },
        'f:spec': {
          'f:replicas': {},
          'f:selector': {},
          'f:template': {
            'f:metadata': { 'f:labels': { '.': {}, 'f:app': {} } },
            'f:spec': {
              'f:containers': {
                'k:{"name":"nginx"}': {
                  '.': {},
                  'f:image': {},
                  'f:name': {},
                  'f:ports': { '.': {}, 'k:{"containerPort":80,"protocol":"TCP"}': { '.': {}, 'f:containerPort': {}, 'f:protocol': {} } },
                  'f:resources': {},
                },
              },
            },
          },
        },
      },
    },
  ]);
});

test('updates move fields, and nothing changes when nothing changed', () => {
  const made = create(deployment({ replicas: 1, selector: {}, template }));
  expect(update(made, { ...made, metadata: { ...made.metadata, resourceVersion: '9' } }, 'other').metadata.managedFields).toBe(
    made.metadata.managedFields,
  );
  const scaled = update(made, { ...made, spec: { ...bySpec(made), replicas: 3 } } as KubeObject, 'scaler');
  expect(owned(scaled, 'scaler')).toEqual({ 'f:spec': { 'f:replicas': {} } });
  expect((owned(scaled, 'kubectl-create') as { 'f:spec': Json })['f:spec']).not.toHaveProperty('f:replicas');
  const status = update(
    scaled,
    { ...scaled, status: { replicas: 3, conditions: [{ type: 'Available', status: 'True' }] } } as KubeObject,
    'kube-controller-manager',
    later,
    { subresource: 'status' },
  );
  expect(status.metadata.managedFields?.find((entry) => entry.subresource === 'status')).toMatchObject({
    manager: 'kube-controller-manager',
    subresource: 'status',
    fieldsV1: { 'f:status': { 'f:conditions': { '.': {}, 'k:{"type":"Available"}': { '.': {}, 'f:status': {}, 'f:type': {} } } } },
  });
});

test('fields that an endpoint resets are not recorded', () => {
  const made = create(deployment({ replicas: 1, selector: {}, template }));
  const next = update(made, { ...made, spec: { ...bySpec(made), replicas: 3 } } as KubeObject, 'x', later, { resetFields: [['spec']] });
  expect(owned(next, 'x')).toBeUndefined();
});

test('more than ten managers that update become ancient', () => {
  let object = create(deployment({ replicas: 1, selector: {}, template }));
  for (let index = 0; index < 12; index++) {
    const annotations = { ...object.metadata.annotations, [`a${index}`]: 'x' };
    object = update(object, { ...object, metadata: { ...object.metadata, annotations } }, `m${index}`, `2026-01-01T00:01:${10 + index}Z`);
  }
  const names = object.metadata.managedFields?.map((entry) => entry.manager);
  expect(names).toHaveLength(10);
  expect(names?.[0]).toBe('ancient-changes');
});

test('apply creates, merges, drops and co-owns', () => {
  const one = apply(undefined, deployment({ replicas: 1, template }, { labels: { a: '1', b: '2' } }), 'alice');
  expect(one.metadata.managedFields?.[0]).toMatchObject({ manager: 'alice', operation: 'Apply', time: later });
  expect(owned(one, 'alice')).toMatchObject({ 'f:metadata': { 'f:labels': { 'f:a': {}, 'f:b': {} } }, 'f:spec': { 'f:replicas': {} } });
  const two = apply(one, deployment({ replicas: 1, template }, { labels: { a: '1' } }), 'alice');
  expect(two.metadata.labels).toEqual({ a: '1' });
  const shared = apply(two, deployment({ replicas: 1 }), 'bob');
  const dropped = apply(shared, deployment({ template }, { labels: { a: '1' } }), 'alice');
  expect(bySpec(dropped)['replicas']).toBe(1);
  expect(bySpec(apply(dropped, deployment({}), 'bob'))['replicas']).toBeUndefined();
});

test('conflicts name the owner and the field, and force takes over', () => {
  const one = create(deployment({ replicas: 1, selector: {}, template }));
  const patch = deployment({ replicas: 5 });
  expect(() => apply(one, patch, 'alice')).toThrow('Apply failed with 1 conflict: conflict with "kubectl-create" using apps/v1: .spec.replicas');
  const image = deployment({ replicas: 5, template: { spec: { containers: [{ name: 'nginx', image: 'other' }] } } });
  try {
    apply(one, image, 'alice');
    expect.unreachable();
  } catch (error) {
    expect(error).toBeInstanceOf(StatusError);
    const status = (error as StatusError).status;
    expect(status.code).toBe(409);
    expect(status.message).toBe(
      'Apply failed with 2 conflicts: conflicts with "kubectl-create" using apps/v1:\n- .spec.replicas\n- .spec.template.spec.containers[name="nginx"].image',
    );
    expect(status.details?.causes?.[0]).toEqual({
      reason: 'FieldManagerConflict',
      message: 'conflict with "kubectl-create" using apps/v1',
      field: '.spec.replicas',
    });
  }
  const forced = apply(one, patch, 'alice', true);
  expect(bySpec(forced)['replicas']).toBe(5);
  expect(bySpec(forced)['template']).toBe(template);
  expect((owned(forced, 'kubectl-create') as { 'f:spec': Json })['f:spec']).not.toHaveProperty('f:replicas');
});

test('applying the same again changes nothing', () => {
  const one = apply(undefined, deployment({ replicas: 1, template }), 'alice');
  const result = fields.applyPatch({
    live: one,
    patch: deployment({ replicas: 1, template }) as unknown as JsonObject,
    manager: 'alice',
    force: false,
    apiVersion: 'apps/v1',
    now: '2030-01-01T00:00:00Z',
    schema: deploymentSchema,
  });
  expect(result.object).toBe(one);
  expect(result.managedFields[0]).toBe(one.metadata.managedFields?.[0]);
});

test('objects from before the first apply, and kubectl moving from client-side apply', () => {
  const text = JSON.stringify({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, spec: { replicas: 1 } });
  const live = { ...deployment({ replicas: 1, template }, { annotations: { 'kubectl.kubernetes.io/last-applied-configuration': text } }) };
  expect(() => apply(live, deployment({ replicas: 2 }), 'alice')).toThrow('conflict with "before-first-apply" using apps/v1: .spec.replicas');
  const moved = apply(live, deployment({ replicas: 2 }), 'kubectl');
  expect(bySpec(moved)['replicas']).toBe(2);
  expect(moved.metadata.annotations?.['kubectl.kubernetes.io/last-applied-configuration']).toBe(
    '{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web","namespace":"default"},"spec":{"replicas":2}}\n',
  );
});

test('refusals', () => {
  expect(() => apply(undefined, deployment({}, { managedFields: [] }), 'a')).toThrow('metadata.managedFields must be nil');
  expect(() => apply(undefined, deployment({ foo: 1 }), 'a')).toThrow(
    'failed to create typed patch object (default/web; apps/v1, Kind=Deployment): .spec.foo: field not declared in schema',
  );
});

test('kinds without a schema have granular maps and atomic lists', () => {
  const next = {
    apiVersion: 'x.io/v1',
    kind: 'Thing',
    metadata: { name: 'a', labels: { l: '1' } },
    spec: { list: [1], map: { k: 'v' } },
  } as KubeObject;
  const [entry] = fields.updateManagedFields({ live: undefined, next, manager: 'm', apiVersion: 'x.io/v1', now, schema: undefined });
  expect(entry?.fieldsV1).toEqual({
    'f:metadata': { 'f:labels': { '.': {}, 'f:l': {} } },
    'f:spec': { '.': {}, 'f:list': {}, 'f:map': { '.': {}, 'f:k': {} } },
  });
});

test('writing pods is cheap', () => {
  const spec = { ...nginx, dnsPolicy: 'ClusterFirst', restartPolicy: 'Always' };
  const condition = (type: string, status: string): Json => ({ type, status, lastProbeTime: null, lastTransitionTime: now });
  const conditions = ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map((type) => condition(type, 'True'));
  const started = Date.parse('2026-01-01');
  for (let index = 0; index < 2000; index++) {
    const next = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: `p${index}`, namespace: 'd', labels: { app: 'x' } },
      spec,
    } as unknown as KubeObject;
    const managedFields = fields.updateManagedFields({ live: undefined, next, manager: 'kcm', apiVersion: 'v1', now, schema: podSchema });
    const live = { ...next, metadata: { ...next.metadata, uid: 'u', managedFields } };
    const ready = { ...live, status: { phase: 'Running', conditions: [...conditions, condition('Extra', `${index}`)] } } as unknown as KubeObject;
    const after = fields.updateManagedFields({
      live,
      next: ready,
      manager: 'kubelet',
      apiVersion: 'v1',
      subresource: 'status',
      now: later,
      schema: podSchema,
    });
    expect(after).toHaveLength(2);
  }
  expect(started).toBeGreaterThan(0);
});

test('a label that is called as what every object inherits is owned like any other', () => {
  const made = create(deployment({ replicas: 1 }, { labels: { app: 'web' } }), 'first');
  const more = { app: 'web', constructor: 'x', toString: 'y' };
  const labelled = update(made, deployment({ replicas: 1 }, { labels: more, managedFields: made.metadata.managedFields, uid: 'u' }), 'second');
  expect(owned(labelled, 'second')).toEqual({ 'f:metadata': { 'f:labels': { 'f:constructor': {}, 'f:toString': {} } } });
  const bare = update(
    labelled,
    deployment({ replicas: 1 }, { labels: { app: 'web' }, managedFields: labelled.metadata.managedFields, uid: 'u' }),
    'third',
  );
  expect(bare.metadata.managedFields?.map(({ manager }) => manager)).toEqual(['first']);
});
