/** Writes that a real 1.36.3 answered so (asked by hand), where a fact of one answer would not show it. */
import { beforeAll, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../engine/base/json.ts';
import { bodyOf, type Side, wavetankSide } from './sides.ts';

let ours: Side;
const json = 'application/json';

async function ask(method: string, path: string, body?: JsonValue, type = json): Promise<JsonObject> {
  const [plain = '', query = ''] = path.split('?');
  return bodyOf(await ours.ask({ method, path: plain, query, type, accept: json, ...(body === undefined ? {} : { body }) })) as JsonObject;
}

function patch(path: string, body: JsonValue, type = 'merge-patch+json'): Promise<JsonObject> {
  return ask('PATCH', path, body, `application/${type}`);
}

function metadataOf(object: JsonObject): {
  readonly resourceVersion?: string;
  readonly managedFields?: readonly JsonObject[];
  readonly annotations?: JsonObject;
} {
  return object['metadata'] as ReturnType<typeof metadataOf>;
}

beforeAll(async () => {
  ours = await wavetankSide();
  await ask('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'w' } });
});

const pod = { metadata: { labels: { app: 'a' } }, spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'nginx' }] } };
const template = { ...pod, spec: { containers: pod.spec.containers } };

test.each<[string, JsonObject, boolean]>([
  ['/api/v1/namespaces/w/persistentvolumeclaims', { apiVersion: 'v1', kind: 'PersistentVolumeClaim', spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } }, true],
  ['/apis/batch/v1/namespaces/w/jobs', { apiVersion: 'batch/v1', kind: 'Job', spec: { template: { spec: pod.spec } } }, true],
  ['/apis/batch/v1/namespaces/w/jobs', { apiVersion: 'batch/v1', kind: 'Job', spec: { template: pod } }, false],
  ['/api/v1/namespaces/w/configmaps', { apiVersion: 'v1', kind: 'ConfigMap', data: { a: 'b' } }, false],
])('the first write that changes nothing of an object in %s: %j', async (path, object, makesRevision) => {
  const name = `first-${Object.keys(object).length}-${String(makesRevision)}`;
  const made = await ask('POST', path, { ...object, metadata: { name } });
  const first = await patch(`${path}/${name}`, {});
  const second = await patch(`${path}/${name}`, {});
  expect(metadataOf(first).resourceVersion !== metadataOf(made).resourceVersion).toBe(makesRevision);
  expect(metadataOf(second).resourceVersion).toBe(metadataOf(first).resourceVersion);
}); // biome-ignore format: a table

test('entries of one manager that a Scale has left are one after the next write', async () => {
  const path = '/api/v1/namespaces/w/replicationcontrollers';
  await ask('POST', path, { apiVersion: 'v1', kind: 'ReplicationController', metadata: { name: 'r' }, spec: { replicas: 5, template } });
  await patch(`${path}/r/scale`, { spec: { replicas: 5 } });
  const { managedFields = [] } = metadataOf(await patch(`${path}/r`, {}));
  expect(managedFields.map(({ time }) => typeof time)).toEqual(['string']);
});

test('an item without any key of its list leaves its object without owners', async () => {
  const path = '/api/v1/namespaces/w/serviceaccounts';
  const made = await ask('POST', path, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 's' }, secrets: [{}] });
  expect(metadataOf(made).managedFields).toBeUndefined();
  const applied = await patch(`${path}/t?fieldManager=a`, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 't' }, secrets: [{}] }, 'apply-patch+yaml');
  expect(applied['message']).toBe(
    'failed to create typed patch object (/t; /v1, Kind=ServiceAccount): .secrets: element 0: associative list with keys has an element that omits all key fields ["name"] (and doesn\'t have default values for any key fields)',
  );
}); // biome-ignore format: long

test('what an autoscaler of v1 measures is noted, owned, and counts more than its field', async () => {
  const path = '/apis/autoscaling/v1/namespaces/w/horizontalpodautoscalers';
  const spec = { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' }, maxReplicas: 3 };
  await ask('POST', path, { apiVersion: 'autoscaling/v1', kind: 'HorizontalPodAutoscaler', metadata: { name: 'h' }, spec });
  await patch(`${path}/h/status`, { status: { currentCPUUtilizationPercentage: 7 } });
  const again = await patch(`${path}/h/status`, { status: { currentCPUUtilizationPercentage: 50 } });
  expect(again['status']).toMatchObject({ currentCPUUtilizationPercentage: 7 });
  expect(metadataOf(again).annotations).toEqual({
    'autoscaling.alpha.kubernetes.io/current-metrics':
      '[{"type":"Resource","resource":{"name":"cpu","currentAverageUtilization":7,"currentAverageValue":"0"}}]',
  });
  const odd = await patch(`${path}/h`, { metadata: { annotations: { 'autoscaling.alpha.kubernetes.io/current-metrics': '{"a":[null]}' } } });
  expect(odd['kind']).toBe('HorizontalPodAutoscaler');
});

test('bytes may be a list of small numbers; a name that is going says so', async () => {
  const path = '/api/v1/namespaces/w/secrets';
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'b', finalizers: ['example.com/wait'] }, data: { a: [1, 2, 255] } };
  expect((await ask('POST', path, secret))['data']).toEqual({ a: 'AQL/' });
  await ask('DELETE', `${path}/b`);
  expect((await ask('POST', path, secret))['message']).toBe('object is being deleted: secrets "b" already exists');
  expect((await ask('POST', path, { ...secret, data: { a: [256] } }))['message']).toContain('cannot unmarshal number 256 into Go struct field Secret.data of type uint8');
}); // biome-ignore format: long

test('who deletes a Job is told that its pods stay, also where there is no such Job', async () => {
  const { code, headers } = await ours.ask({ method: 'DELETE', path: '/apis/batch/v1/namespaces/w/jobs/none', query: '', type: json, accept: json });
  expect([code, headers['warning']]).toEqual([404, [expect.stringContaining('child pods are preserved by default when jobs are deleted')]]);
});

test('a Table of what is not stored has no revision', async () => {
  const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'never' } };
  const path = '/api/v1/namespaces/w/configmaps';
  const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
  const made = await ours.ask({ method: 'POST', path, query: 'dryRun=All', type: json, accept, body: map });
  expect((bodyOf(made) as JsonObject)['metadata']).toEqual({});
});

test('an update that would make what another object was is refused as the store does it', async () => {
  const path = '/apis/node.k8s.io/v1/runtimeclasses/gone';
  const runtimeClass = { apiVersion: 'node.k8s.io/v1', kind: 'RuntimeClass', metadata: { name: 'gone', uid: 'u' }, handler: 'h' };
  expect((await ask('PUT', path, runtimeClass))['message']).toBe(
    'Operation cannot be fulfilled on runtimeclasses.node.k8s.io "gone": StorageError: invalid object, Code: 4, Key: /registry/runtimeclasses/gone, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: u, UID in object meta: ',
  );
});

test('a collection that is deleted up to a limit says where the rest begins', async () => {
  const path = '/api/v1/namespaces/w/endpoints';
  for (const name of ['a', 'b', 'c']) await ask('POST', path, { apiVersion: 'v1', kind: 'Endpoints', metadata: { name } });
  const first = await ask('DELETE', `${path}?limit=2`);
  expect(first['items']).toHaveLength(2);
  expect(first['metadata']).toEqual({ resourceVersion: expect.any(String), continue: expect.any(String), remainingItemCount: 1 });
  const { continue: token } = first['metadata'] as { readonly continue: string };
  const rest = await ask('DELETE', `${path}?limit=2&continue=${token}`);
  expect([rest['items'], rest['metadata']]).toEqual([[expect.anything()], { resourceVersion: expect.any(String) }]);
});

test('fields of kinds that users define are owned in the version in which they were written, as long as all that is stored fits it', async () => {
  const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const version = (name: string, more: JsonObject): JsonObject => ({
    name,
    served: true,
    storage: name === 'v1',
    schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties: { a: { type: 'string' }, ...more } } } } },
  });
  const names = { plural: 'vvs', singular: 'vv', kind: 'Vv', listKind: 'VvList' };
  const spec = { group: 'v.example.com', scope: 'Cluster', names, versions: [version('v1', {}), version('v2', { b: { type: 'string' } })] };
  await ask('POST', definitions, { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata: { name: 'vvs.v.example.com' }, spec });
  await ours.settle();
  const apply = (to: string, manager: string, fields: JsonObject): Promise<JsonObject> =>
    patch(`/apis/v.example.com/${to}/vvs/c?fieldManager=${manager}`, { apiVersion: `v.example.com/${to}`, kind: 'Vv', metadata: { name: 'c' }, spec: fields }, 'apply-patch+yaml');
  await apply('v1', 'one', { a: 'x' });
  const conflict = await apply('v2', 'two', { a: 'y' });
  expect(conflict['message']).toBe('Apply failed with 1 conflict: conflict with "one": .spec.a');
  const unknown = await apply('v2', 'two', { b: 'y' });
  expect([unknown['code'], unknown['message']]).toEqual([500, 'failed to convert new object: .spec.b: field not declared in schema']);
  expect(metadataOf(await patch('/apis/v.example.com/v2/vvs/c', { spec: { b: 'y', a: 'z' } })).managedFields).toBeUndefined();
  await patch(`${definitions}/vvs.v.example.com`, [{ op: 'remove', path: '/spec/versions/1' }], 'json-patch+json');
  await ours.settle();
  const old = [{ manager: 'old', operation: 'Update', apiVersion: 'v.example.com/v2', fieldsType: 'FieldsV1', fieldsV1: { 'f:spec': {} } }];
  expect(metadataOf(await patch('/apis/v.example.com/v1/vvs/c', { metadata: { managedFields: old } })).managedFields).toBeUndefined();
}); // biome-ignore format: long

test('an entry of a version that is no more is told of when somebody applies', async () => {
  const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  const versions = ['v1', 'v2'].map((name) => ({ name, served: true, storage: name === 'v1', schema }));
  const names = { plural: 'gones', singular: 'gone', kind: 'Gone', listKind: 'GoneList' };
  const spec = { group: 'w.example.com', scope: 'Cluster', names, versions };
  await ask('POST', definitions, { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata: { name: 'gones.w.example.com' }, spec });
  await ours.settle();
  const apply = (version: string): Promise<JsonObject> =>
    patch(`/apis/w.example.com/${version}/gones/c?fieldManager=one`, { apiVersion: `w.example.com/${version}`, kind: 'Gone', metadata: { name: 'c' }, spec: { a: 1 } }, 'apply-patch+yaml');
  await apply('v2');
  await patch(`${definitions}/gones.w.example.com`, [{ op: 'remove', path: '/spec/versions/1' }], 'json-patch+json');
  await ours.settle();
  const refused = await apply('v1');
  expect([refused['code'], refused['message']]).toEqual([500, 'request to convert CR to an invalid group/version: w.example.com/v2']);
}); // biome-ignore format: long

test.each([
  ['/api', 405],
  ['/apis', 200],
  ['/apis/apps', 200],
  ['/apis/apps/v1', 405],
  ['/version', 405],
  ['/healthz', 200],
  ['/api/v1/pods', 405],
  ['/api/v1/nix', 404],
  ['/api/v1/namespaces/w/pods/x/log', 405],
  ['/api/v1/namespaces/w/pods/x/proxy', 404],
])('HEAD %s is answered %i', async (path, code) => {
  expect((await ours.ask({ method: 'HEAD', path, query: '', type: '', accept: json })).code).toBe(code);
});

test('what a dry run makes has another uid than what is made then', async () => {
  const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'dry' } };
  const tried = (await ask('POST', '/api/v1/namespaces/w/configmaps?dryRun=All', map))['metadata'] as JsonObject;
  const made = (await ask('POST', '/api/v1/namespaces/w/configmaps', map))['metadata'] as JsonObject;
  expect(tried['uid']).not.toBe(made['uid']);
});

test('a list of one name has it as it is now; events have no cache, and give what is asked for', async () => {
  const path = '/api/v1/namespaces/w/configmaps';
  const made = await ask('POST', path, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'one' } });
  await patch(`${path}/one`, { data: { a: 'b' } });
  const listed = await ask('GET', `${path}?fieldSelector=metadata.name%3Done&limit=1&resourceVersion=${metadataOf(made).resourceVersion}`);
  expect(listed['items']).toEqual([expect.objectContaining({ data: { a: 'b' } })]);
  const exact = await ask(
    'GET',
    `${path}?fieldSelector=metadata.name%3Done&resourceVersion=${metadataOf(made).resourceVersion}&resourceVersionMatch=Exact`,
  );
  expect(exact['items']).toEqual([expect.not.objectContaining({ data: expect.anything() })]);
  const event = { apiVersion: 'v1', kind: 'Event', involvedObject: { namespace: 'w', kind: 'Pod', name: 'p' } };
  for (const name of ['a', 'b']) await ask('POST', '/api/v1/namespaces/w/events', { ...event, metadata: { name } });
  expect((await ask('GET', '/api/v1/namespaces/w/events?limit=1&resourceVersion=0'))['items']).toHaveLength(1);
});
