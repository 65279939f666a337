/** `agnhost webhook`: what upstream's tests of admission ask by path. Mirrors test/images/agnhost/webhook. */
import { encodeBase64 } from '../../base/base64.ts';
import { getOwn } from '../../base/dictionary.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { PodAnswer, PodQuestion } from '../../contracts/connect.ts';

/** What a handler makes of the request of a review; nothing where the real one breaks down. */
type Handler = (request: JsonObject) => JsonObject | undefined;

const sleepMs = 5_000;
const forever = Number.MAX_SAFE_INTEGER;

const allowed: JsonObject = { allowed: true };
const denied = (status: JsonObject): JsonObject => ({ allowed: false, status: { metadata: {}, ...status } });
const patched = (operations: readonly JsonObject[]): JsonObject => ({
  allowed: true,
  patch: encodeBase64(new TextEncoder().encode(JSON.stringify(operations))),
  patchType: 'JSONPatch',
});

const handlers: { readonly [path: string]: Handler } = {
  '/always-allow-delay-5s': () => ({ allowed: true, status: { metadata: {}, message: 'this webhook allows all requests' } }),
  '/always-deny': () => denied({ message: 'this webhook denies all requests' }),
  '/add-label': (request) => {
    const labels = metadataOf(objectOf(request))['labels'] as JsonObject | undefined;
    if (Object.keys(labels ?? {}).length === 0) return patched([{ op: 'add', path: '/metadata/labels', value: { 'added-label': 'yes' } }]);
    const label = getOwn(labels, 'added-label');
    if (label === 'yes') return allowed;
    return patched([{ op: label === undefined ? 'add' : 'replace', path: '/metadata/labels/added-label', value: 'yes' }]);
  },
  '/pods': (request) => (isAbout(request, 'pods') ? judgePod(objectOf(request)) : unexpected('pods')),
  '/pods/attach': (request) => {
    if (request['name'] !== 'to-be-attached-pod') return allowed;
    const { stdin, container } = objectOf(request) as { readonly stdin?: boolean; readonly container?: string };
    if (stdin !== true || container !== 'container1') return allowed;
    return denied({ message: "attaching to pod 'to-be-attached-pod' is not allowed" });
  },
  '/mutating-pods': (request) => {
    if (!isAbout(request, 'pods')) return undefined;
    const pod = objectOf(request);
    if (metadataOf(pod)['name'] !== 'webhook-to-be-mutated' || hasContainer(pod, 'initContainers', 'webhook-added-init-container')) return allowed;
    const added = { image: 'webhook-added-image', name: 'webhook-added-init-container', resources: {} };
    return patched([{ op: 'add', path: '/spec/initContainers', value: [added] }]);
  },
  '/configmaps': (request) =>
    isAbout(request, 'configmaps') ? judgeData(request, 'the configmap contains unwanted key and value', 'configmap') : undefined,
  '/mutating-configmaps': (request) => (isAbout(request, 'configmaps') ? stage(objectOf(request)) : undefined),
  '/custom-resource': (request) => judgeData(request, 'the custom resource contains unwanted data', 'custom resource'),
  '/mutating-custom-resource': (request) => stage(objectOf(request)),
  '/crd': (request) => {
    const labels = metadataOf(objectOf(request))['labels'] as JsonObject | undefined;
    return getOwn(labels, 'webhook-e2e-test') === 'webhook-disallow' ? denied({ message: 'the crd contains unwanted label' }) : allowed;
  },
};

export function answerWebhook({ method, path, body }: PodQuestion): PodAnswer {
  const [route = '/'] = path.split('?', 1);
  if (route === '/readyz') return { status: 200, contentType: 'text/plain; charset=utf-8', body: 'ok' };
  const handler = getOwn(handlers, route);
  if (handler === undefined || method !== 'POST') return { status: 404, contentType: 'text/plain; charset=utf-8', body: '404 page not found\n' };
  const review = JSON.parse(body) as JsonObject;
  const request = (review['request'] ?? {}) as JsonObject;
  const said = handler(request);
  // The real one panics there, and the connection with it.
  if (said === undefined) return { status: 500, contentType: 'text/plain; charset=utf-8', body: '', tookMs: 0 };
  const { kind, apiVersion } = review;
  const response = { uid: request['uid'] ?? '', ...said };
  const answer = JSON.stringify({ kind, apiVersion, response });
  return { status: 200, contentType: 'application/json', body: answer, tookMs: tookMs(route, request) };
}

function tookMs(route: string, request: JsonObject): number {
  if (route === '/always-allow-delay-5s') return sleepMs;
  return route === '/pods' && labelOf(objectOf(request)) === 'wait-forever' ? forever : 0;
}

function judgePod(pod: JsonObject): JsonObject {
  const texts: string[] = [];
  if (labelOf(pod) === 'webhook-disallow') texts.push('the pod contains unwanted label;');
  if (labelOf(pod) === 'wait-forever') texts.push('the pod response should not be sent;');
  const spec = (pod['spec'] ?? {}) as JsonObject;
  for (const { name = '' } of (spec['containers'] ?? []) as readonly { readonly name?: string }[])
    if (name.includes('webhook-disallow')) texts.push('the pod contains unwanted container name;');
  return texts.length === 0 ? allowed : denied({ message: texts.join(' ') });
}

function judgeData(request: JsonObject, unwanted: string, what: string): JsonObject {
  const isRemoval = request['operation'] === 'DELETE';
  const mark = dataOf(isRemoval ? ((request['oldObject'] ?? {}) as JsonObject) : objectOf(request))['webhook-e2e-test'];
  const isWrite = request['operation'] === 'CREATE' || request['operation'] === 'UPDATE';
  if (mark === 'webhook-disallow' && isWrite) return denied({ reason: unwanted });
  if (mark === 'webhook-nondeletable' && isRemoval)
    return denied({ reason: `the ${what} cannot be deleted because it contains unwanted key and value` });
  return allowed;
}

function stage(object: JsonObject): JsonObject {
  const data = dataOf(object);
  if (data['mutation-stage-1'] === 'yes') return patched([{ op: 'add', path: '/data/mutation-stage-2', value: 'yes' }]);
  return data['mutation-start'] === 'yes' ? patched([{ op: 'add', path: '/data/mutation-stage-1', value: 'yes' }]) : allowed;
}

function unexpected(resource: string): JsonObject {
  return denied({ message: `expect resource to be { v1 ${resource}}` });
}

function isAbout(request: JsonObject, plural: string): boolean {
  const { group, version, resource } = (request['resource'] ?? {}) as JsonObject;
  return group === '' && version === 'v1' && resource === plural;
}

function hasContainer(pod: JsonObject, list: string, wanted: string): boolean {
  const spec = (pod['spec'] ?? {}) as JsonObject;
  return ((spec[list] ?? []) as readonly { readonly name?: string }[]).some(({ name }) => name === wanted);
}

function objectOf(request: JsonObject): JsonObject {
  return (request['object'] ?? {}) as JsonObject;
}

function metadataOf(object: JsonObject): JsonObject {
  return (object['metadata'] ?? {}) as JsonObject;
}

function dataOf(object: JsonObject): JsonObject {
  return (object['data'] ?? {}) as JsonObject;
}

function labelOf(object: JsonObject): JsonValue | undefined {
  return getOwn(metadataOf(object)['labels'] as JsonObject | undefined, 'webhook-e2e-test');
}
