/** Refusals as release 1.13 told them, where other words are not enough: other codes, faults of fields, what was asked. */
import { formatDuration, parseDuration } from '../../../apimachinery/time.ts';
import type { Status, StatusCause } from '../../../apimachinery/status.ts';
import type { RefusedRequest } from '../../../contracts/release.ts';
import { getOwn } from '../../../base/dictionary.ts';
import { isList, isObject, type JsonObject, type JsonValue } from '../../../base/json.ts';
import { parsed } from './sent-body.ts';
import { together } from './together.ts';
import { inOrderOfContainers, withRepeatedNames } from './container-order.ts';
import { type Fault, isSame, retoldFaults } from './faults.ts';
import { inTheirPlaces } from './later-values.ts';
import { asTheySent } from './sent-values.ts';
import { listed, unserved } from '../versions.ts';
import { retoldDecoding } from './decoding.ts';

export function retell(status: Status, request: RefusedRequest, featureEnabled: (gate: string) => boolean): Status {
  const misfit = retoldDecoding(status, request) ?? ofAnotherNamespace(status, request);
  if (misfit !== undefined) return misfit;
  return status.reason === 'Invalid'
    ? asUpdate(withFaults(status, request, featureEnabled))
    : (retoldCode(status, request) ?? retoldBody(status, request) ?? status);
}

/** A namespace was in itself: one that said otherwise was refused before it was judged. */
function ofAnotherNamespace(status: Status, { method, path, body }: RefusedRequest): Status | undefined {
  const [, name] = /^\/api\/v1\/namespaces\/([^/]+)(?:\/(?:status|finalize))?$/.exec(path) ?? [];
  if (status.reason !== 'Invalid' || name === undefined || (method !== 'PUT' && method !== 'PATCH')) return undefined;
  const given = (parsed(body())?.['metadata'] as JsonObject | undefined)?.['namespace'];
  if (typeof given !== 'string' || given === '' || given === name) return undefined;
  const { details: _, ...rest } = status;
  return { ...withNamespaces(rest, body(), path), code: 400, reason: 'BadRequest' };
}

/** A patch had the options of an update. */
function asUpdate(status: Status): Status {
  const { details, message = '' } = status;
  if (details?.kind !== 'PatchOptions') return status;
  return { ...status, message: message.replace(/^PatchOptions/, 'UpdateOptions'), details: { ...details, kind: 'UpdateOptions' } };
}

/** Kinds that had another group then. */
const formerGroups: { readonly [kind: string]: string } = { NetworkPolicy: 'extensions', Ingress: 'extensions' };

/** More are left out: each is looked at beside the others. */
const faultsMost = 2_000;

function withFaults(status: Status, request: RefusedRequest, featureEnabled: (gate: string) => boolean): Status {
  const { details, message = '' } = status;
  const { causes = [], kind = '', name = '' } = details ?? {};
  const before: readonly Fault[] = causes.slice(0, faultsMost).map(({ field = '', message: text = '', reason }) => ({
    field,
    text,
    ...(reason !== undefined && { reason }),
  }));
  const sent = parsed(request.body());
  const after = asTheySent(
    kind,
    together(kind, inTheirPlaces(kind, withRepeatedNames(inOrderOfContainers(retoldFaults(kind, before, featureEnabled), sent), sent)), request),
    request,
    sent,
  );
  const former = getOwn(formerGroups, kind);
  const group = former ?? details?.group;
  if (group === details?.group && causes.length === before.length && sameFaults(before, after)) return status;
  const at = message.indexOf(' is invalid: ');
  if (at < 0) return status;
  const texts = [...new Set(after.map(({ field, text }) => `${field}: ${text}`))];
  const subject = former === undefined ? message.slice(0, at) : `${kind}.${group} ${JSON.stringify(name)}`;
  const told = after.map(({ field, text, reason }): StatusCause => ({ ...(reason !== undefined && { reason }), message: text, field }));
  return {
    ...status,
    message: `${subject} is invalid: ${texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(', ')}]`}`,
    details: { ...details, ...(group !== undefined && { group }), causes: told },
  };
}

function sameFaults(before: readonly Fault[], after: readonly Fault[]): boolean {
  return before.length === after.length && before.every((fault, i) => isSame(fault, after[i]));
}

/** Bodies of deletions that do not even say what they are. */
const misread =
  /^(?:couldn't get version\/kind; json parse error: |unexpected GroupVersion string: |provided data does not appear to be a protobuf message)/;

const waitedInVain = 'Timeout: request did not complete within requested timeout';

/** Who gives no time gives half a minute. */
function timeoutOf(query: string): string {
  return formatDuration(parseDuration(new URLSearchParams(query).get('timeout') ?? '') ?? 30_000);
}

/** What its server took for a defect of its own. */
function retoldCode(status: Status, { method, path, query, header, body }: RefusedRequest): Status | undefined {
  const { message = '', code } = status;
  const defect = (text: string): Status => {
    const { reason: _, details: _details, ...rest } = status;
    return { ...rest, code: 500, message: text };
  };
  if (code === 404 && method !== 'POST' && scaledByName.test(path) && / "[^"]+" not found$/.test(message)) return ofScale(status);
  if (method === 'GET' && scaledByName.test(path) && (code === 504 || message.startsWith('resourceVersion: Invalid value: ')))
    return unreadScale(status, path);
  if (code === 504 && message.startsWith('Timeout: request did not complete within '))
    return { ...status, message: `${waitedInVain} ${timeoutOf(query)}` };
  // The seeds' word; its server said `Expired`.
  if (code === 410 && message.startsWith('The provided continue parameter is too old ')) return { ...status, reason: 'ResourceExpired' };
  // What a patch is was asked before what is to be answered.
  if (code === 406 && method === 'PATCH' && !/^application\/(?:json|merge|strategic-merge)-patch\+json\b/.test(header('content-type')))
    return { ...status, code: 415, reason: 'UnsupportedMediaType', message: '415: Unsupported Media Type', details: {} };
  if (code === 406 && message.startsWith('406: ')) return { ...status, message: '406: Not Acceptable' };
  const isFromStorage = path.endsWith('/events') || /(?:^|&)(?:limit=[1-9]|continue=.)/.test(query);
  if (code === 504 && status.details?.causes?.[0]?.reason === 'ResourceVersionTooLarge') {
    if (isFromStorage) return defect('etcdserver: mvcc: required revision is a future revision');
    const { causes: _, ...details } = status.details;
    return { ...status, details };
  }
  if (code === 415 && method === 'PATCH') return isUsers(path) ? status : { ...status, details: {} };
  if (code === 403 && status.details?.causes?.[0]?.reason === 'NamespaceTerminating') {
    const { causes: _, ...details } = status.details;
    return { ...status, details };
  }
  const moved = code === 409 ? /^Operation cannot be fulfilled on (Ingress|NetworkPolicy)\.networking\.k8s\.io (?=")/.exec(message) : null;
  if (moved !== null)
    return {
      ...status,
      message: message.replace(/\.networking\.k8s\.io/, '.extensions'),
      details: { ...status.details, group: 'extensions' },
    };
  if (code !== 400) return undefined;
  const keyOfMap = ': unsupported map key of type: ';
  if (message.includes(keyOfMap)) return { ...status, message: message.replace(keyOfMap, ': Unsupported map key of type: ') };
  const [, label] = /^field label not supported: (.*)$/s.exec(message) ?? [];
  // This group knew no fields but those of every kind.
  if (label !== undefined && path.startsWith('/apis/events.k8s.io/'))
    return { ...status, message: `${JSON.stringify(label)} is not a known field selector: only "metadata.name", "metadata.namespace"` };
  if (path.startsWith('/apis/batch/v1/') && message.startsWith('field label "') && message.endsWith('" not supported for Job'))
    return { ...status, message: message.replace(/Job$/, 'batchv1.Job') };
  // Events and what comes in chunks are read from storage, everything else from a cache.
  if (message.startsWith('invalid resource version: ') && !isFromStorage) return defect(message.slice('invalid resource version: '.length));
  if (method === 'DELETE' && misread.test(message)) return defect(message);
  if (method !== 'PATCH') return undefined;
  const isOf = (form: string): boolean => header('content-type').startsWith(`application/${form}-patch+json`);
  if (message === 'Invalid JSON Patch' && isOf('merge')) return defect(message);
  if (message !== 'unexpected end of JSON input' || !isOf('strategic-merge')) return undefined;
  return { ...status, message: body().trim() === '' ? 'EOF' : 'unexpected EOF' };
}

/** Who scales these tells of the scale that is not there; who scales others, of the object. */
const scaledByName = /\/(?:deployments|replicasets|replicationcontrollers)\/[^/]+\/scale$/;

/** It looked for the scale, which is of its own group where the object is of none. */
function ofScale(status: Status): Status {
  const { kind = '', group: given = 'autoscaling', name = '' } = status.details ?? {};
  // Of both groups there was one storage.
  const group = given === 'extensions' && (kind === 'replicasets' || kind === 'deployments') ? 'apps' : given;
  const scale = `${kind}/scale`;
  return { ...status, message: `${scale}.${group} ${JSON.stringify(name)} not found`, details: { name, group, kind: scale } };
}

/** Why the object could not be read was not said: then there was no scale. */
function unreadScale({ details: _, ...status }: Status, path: string): Status {
  const [, group, kind = '', name = ''] = /^\/apis?\/(?:([^/]+)\/)?v[^/]+\/.*\/([^/]+)\/([^/]+)\/scale$/.exec(path) ?? [];
  return ofScale({
    ...status,
    code: 404,
    reason: 'NotFound',
    details: { kind, ...(group !== undefined && { group }), name: decodeURIComponent(name) },
  });
}

const mismatch = /^the API version in the data \((.*)\) does not match the expected API version \(.*\)$/s;

/** What the refusal of an odd kind in the body of a deletion ends with. */
const deleteScheme = 'in scheme "pkg/runtime/scheme.go:111"';

/** It looked for the kind first, and compared versions afterwards. */
function retoldBody(status: Status, request: RefusedRequest): Status | undefined {
  const { method, path, body } = request;
  const { message = '', code } = status;
  const [, given] = mismatch.exec(message) ?? [];
  if ((method === 'PATCH' || method === 'PUT') && message === wrongNamespace)
    return withNames(status, request) ?? withNamespaces(status, body(), path);
  if (given === undefined && !message.endsWith(deleteScheme)) return undefined;
  const kind = kindIn(body());
  if (code === 400 && message.endsWith(deleteScheme) && kind !== undefined) {
    const { reason: _, ...rest } = status;
    const scheme = 'k8s.io/apimachinery/pkg/apis/meta/internalversion/register.go:31';
    return {
      ...rest,
      code: 500,
      message: `no kind ${JSON.stringify(kind.kind)} is registered for version ${JSON.stringify(kind.apiVersion || 'meta.k8s.io/v1')} in scheme "${scheme}"`,
    };
  }
  if (given === undefined || kind === undefined || kind.kind === '') return undefined;
  // Bodies of subresources are looked up by their own versions.
  if (kind.kind === 'Scale') return undefined;
  if (given.split('/').length > 2)
    return {
      ...status,
      message: `the object provided is unrecognized (must be of type ${kind.kind}): unexpected GroupVersion string: ${given} (${shortened(body())})`,
    };
  const plurals = [
    `${kind.kind.toLowerCase()}s`,
    `${kind.kind.toLowerCase()}es`,
    kind.kind.toLowerCase().replace(/y$/, 'ies'),
    kind.kind.toLowerCase(),
  ];
  if ([listed, unserved].some((known) => getOwn(known, given)?.some((plural) => plurals.includes(plural)) === true)) return undefined;
  // Kinds that users define are read by another server.
  if (isUsers(path)) return undefined;
  const scheme = apart.find(([start]) => path.startsWith(start))?.[1] ?? 'k8s.io/kubernetes/pkg/api/legacyscheme/scheme.go:29';
  const why = `no kind ${JSON.stringify(kind.kind)} is registered for version ${JSON.stringify(given)} in scheme "${scheme}"`;
  const version = given.slice(given.indexOf('/') + 1);
  return { ...status, message: `${kind.kind} in version ${JSON.stringify(version)} cannot be handled as a ${kind.kind}: ${why}` };
}

/** Of a kind that users define. */
function isUsers(path: string): boolean {
  return getOwn(listed, /^\/(?:api|apis)\/([^/]+(?:\/v[^/]+)?)/.exec(path)?.[1] ?? '') === undefined;
}

/** Served by servers of their own, with schemes of their own. */
const apart = [
  ['/apis/apiextensions.k8s.io/', 'k8s.io/apiextensions-apiserver/pkg/apiserver/apiserver.go:52'],
  ['/apis/apiregistration.k8s.io/', 'k8s.io/kube-aggregator/pkg/apiserver/scheme/scheme.go:32'],
] as const;

const wrongNamespace = 'the namespace of the provided object does not match the namespace sent on the request';

/** It asked for the name first. */
function withNames(status: Status, { method, path, body }: RefusedRequest): Status | undefined {
  const [, name] = /\/namespaces\/[^/]+\/[^/]+\/([^/]+)/.exec(path) ?? [];
  const sent = parsed(body());
  const said = isList(sent) ? metadataSet(sent, 'name') : (sent?.['metadata'] as JsonObject | undefined)?.['name'];
  if (name === undefined || said === name) return undefined;
  if (typeof said === 'string' && said !== '')
    return { ...status, message: `the name of the object (${said}) does not match the name on the URL (${name})` };
  if (method !== 'PUT' && !saysName(sent)) return undefined;
  return { ...status, message: `the name of the object (${name} based on URL) was undeterminable: name must be provided` };
}

/** Whether a patch says something of the name, if only that there is none. */
function saysName(patch: JsonObject | undefined): boolean {
  if (isList(patch))
    return patch.some((one) => isObject(one) && one['op'] !== 'test' && (one['path'] === '/metadata' || one['path'] === '/metadata/name'));
  const metadata = patch?.['metadata'];
  return isObject(metadata) && 'name' in metadata;
}

function withNamespaces(status: Status, body: string, path: string): Status {
  const sent = parsed(body);
  const given = isList(sent) ? metadataSet(sent, 'namespace') : (sent?.['metadata'] as JsonObject | undefined)?.['namespace'];
  const own = /\/namespaces\/([^/]+)(?:\/|$)/.exec(path)?.[1] ?? '';
  return { ...status, message: `the namespace of the object (${String(given)}) does not match the namespace on the request (${own})` };
}

/** What operations make of it. */
function metadataSet(operations: readonly JsonValue[], field: string): JsonValue | undefined {
  const last = operations.filter(isObject).findLast(({ path }) => path === `/metadata/${field}` || path === '/metadata');
  return last?.['path'] === '/metadata' && isObject(last['value']) ? last['value'][field] : last?.['value'];
}

function kindIn(text: string): { readonly kind: string; readonly apiVersion: string } | undefined {
  const object = parsed(text);
  return object && { kind: String(object['kind'] ?? ''), apiVersion: String(object['apiVersion'] ?? '') };
}

/** As much of a body as its server showed. */
function shortened(text: string): string {
  return text.length <= 30 ? text : `${text.slice(0, 30)} ...`;
}
