/** Requests that carry no object of the kind: reads, lists, deletions, scales and what is posted to subresources. */
import { formatGroupVersion } from '../../engine/apimachinery/object.ts';
import type { RandomStream } from '../../engine/base/random.ts';
import type { JsonValue } from '../../engine/base/json.ts';
import type { Base } from './bases.ts';
import { pick } from './values.ts';

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly type: string;
  readonly accept: string;
  readonly body?: JsonValue;
  /** The body is a text that is sent as it is. */
  readonly raw?: true;
  /** The user that is impersonated; it has no groups but that of all who are known. */
  readonly as?: string;
}

const accepts = [
  'application/json', 'application/json', 'application/yaml', 'application/json;as=Table;v=v1;g=meta.k8s.io', 'application/json;as=Table;v=v1beta1;g=meta.k8s.io', 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
  'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io', 'application/vnd.kubernetes.protobuf', 'text/plain', '*/*', '', 'application/json;as=Odd;v=v1;g=meta.k8s.io', 'application/json;as=Table;v=v9;g=meta.k8s.io,application/json',
]; // biome-ignore format: a table
const queries = [
  '', '', 'pretty=true', 'labelSelector=app%3Da', 'labelSelector=((', 'labelSelector=a+in+(b)', 'labelSelector=-a%3Db', 'fieldSelector=metadata.name%3Df-1', 'fieldSelector=metadata.namespace%3Ddiff', 'fieldSelector=spec.nodeName%3Da', 'fieldSelector=status.phase%3DRunning',
  'fieldSelector=type%3DOpaque', 'fieldSelector=metadata.foo%3Da', 'fieldSelector=a', 'limit=1', 'limit=-1', 'limit=x', 'continue=x', 'resourceVersion=0', 'resourceVersion=abc', 'resourceVersion=99999999', 'resourceVersionMatch=Exact', 'resourceVersionMatch=NotOlderThan&resourceVersion=0',
  'resourceVersionMatch=Exact&resourceVersion=0', 'resourceVersionMatch=Odd&resourceVersion=1', 'timeoutSeconds=x', 'watch=true&timeoutSeconds=0&sendInitialEvents=true', 'includeObject=None', 'includeObject=Object', 'includeObject=Odd', 'sendInitialEvents=true', 'allowWatchBookmarks=1', 'labelSelector=a%3Db&fieldSelector=%3D',
]; // biome-ignore format: a table
/** `-`: no body at all. */
const deleteOptions: readonly JsonValue[] = [
  '-', {}, { gracePeriodSeconds: 0 }, { gracePeriodSeconds: -1 }, { gracePeriodSeconds: 'x' }, { propagationPolicy: 'Foreground' }, { propagationPolicy: 'Orphan' }, { propagationPolicy: 'Odd' }, { orphanDependents: true },
  { orphanDependents: true, propagationPolicy: 'Foreground' }, { preconditions: { uid: 'x' } }, { preconditions: { resourceVersion: '1' } }, { dryRun: ['Some'] }, { dryRun: ['All'] }, { kind: 'DeleteOptions', apiVersion: 'v1' }, { kind: 'Odd', apiVersion: 'v1' }, { kind: 'DeleteOptions', apiVersion: 'meta.k8s.io/v1' },
  { kind: 'DeleteOptions', apiVersion: 'odd/v1' }, { zzz: 1 }, [], 'x', 1, { ignoreStoreReadErrorWithClusterBreakingPotential: true }, { ignoreStoreReadErrorWithClusterBreakingPotential: true, gracePeriodSeconds: 1 },
]; // biome-ignore format: a table
const deleteQueries = [
  '',
  '',
  'gracePeriodSeconds=0',
  'gracePeriodSeconds=x',
  'propagationPolicy=Odd',
  'propagationPolicy=Background',
  'orphanDependents=true',
  'orphanDependents=x',
  'gracePeriodSeconds=-5',
];

export function readRequest(random: RandomStream, base: Base, way: 'read' | 'delete' | 'scale' | 'post'): Asked {
  const { kind, namespace } = base;
  const root = kind.group === '' ? `/api/${kind.version}` : `/apis/${formatGroupVersion(kind)}`;
  const place = `${root}/${namespace === undefined ? '' : `namespaces/${namespace}/`}${kind.plural}`;
  const name = random.next() < 0.9 ? (base.fixture ?? '') : pick(random, ['nothing', 'A', '..', 'x'.repeat(260)]);
  const one = `${place}/${name}`;
  const json = 'application/json';
  if (way === 'delete') {
    // What the body says holds, whatever stands in the query.
    const drawn = pick(random, deleteOptions);
    const body = typeof drawn === 'object' && drawn !== null && !Array.isArray(drawn) ? { dryRun: ['All'], ...drawn } : drawn;
    const query = ['dryRun=All', pick(random, deleteQueries)].filter((part) => part !== '').join('&');
    const type = random.next() < 0.95 ? json : pick(random, ['text/plain', 'application/yaml']);
    return { method: 'DELETE', path: one, query, type, accept: json, ...(body === '-' ? {} : { body }) };
  }
  if (way === 'scale') return scaleRequest(random, base, one);
  if (way === 'post') return postRequest(random, one);
  const dice = random.next();
  const isList = dice < 0.3;
  const path = isList
    ? random.next() < 0.7 || namespace === undefined
      ? place
      : `${root}/${kind.plural}`
    : dice < 0.85
      ? one
      : `${one}/${pick(random, ['status', 'scale', 'odd', 'log', 'status/x'])}`;
  const query = pick(random, queries);
  return {
    method: random.next() < 0.97 ? 'GET' : pick(random, ['HEAD', 'OPTIONS']),
    path,
    query: isList && query === '' ? 'limit=500' : query.replace('watch=true', 'pretty=0'),
    type: '',
    accept: pick(random, accepts),
  };
}

function scaleRequest(random: RandomStream, base: Base, path: string): Asked {
  const replicas = pick<JsonValue>(random, [0, 1, 5, -1, 'x', 2147483648, null]);
  const body = pick<JsonValue>(random, [
    { kind: 'Scale', apiVersion: 'autoscaling/v1', metadata: { name: base.fixture ?? '' }, spec: { replicas } },
    { metadata: { name: base.fixture ?? '' }, spec: { replicas } },
    { kind: 'Scale', apiVersion: 'autoscaling/v1', metadata: { name: 'other' }, spec: { replicas } },
    { kind: 'Scale', apiVersion: 'autoscaling/v1', metadata: { name: base.fixture ?? '', namespace: 'other' }, spec: { replicas } },
    { kind: 'Odd', apiVersion: 'v1', spec: { replicas } },
    { spec: {} },
    {},
  ]);
  const isPatch = random.next() < 0.5;
  return {
    method: isPatch ? 'PATCH' : 'PUT',
    path: `${path}/scale`,
    query: 'dryRun=All',
    type: isPatch ? 'application/merge-patch+json' : 'application/json',
    accept: 'application/json',
    body,
  };
}

function postRequest(random: RandomStream, path: string): Asked {
  const tail = pick(random, ['eviction', 'binding', 'token', 'approval', 'finalize', 'ephemeralcontainers', 'resize', 'odd']);
  const body = pick<JsonValue>(random, [
    {},
    { apiVersion: 'policy/v1', kind: 'Eviction', metadata: {} },
    { apiVersion: 'v1', kind: 'Binding', metadata: {}, target: { kind: 'Node', name: 'n' } },
    { apiVersion: 'v1', kind: 'Binding', metadata: {}, target: { kind: 'Odd', name: '' } },
    { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { audiences: ['a'], expirationSeconds: 1 } },
  ]);
  return {
    method: pick(random, ['POST', 'PUT', 'GET', 'PATCH', 'DELETE']),
    path: `${path}/${tail}`,
    query: 'dryRun=All',
    type: 'application/json',
    accept: 'application/json',
    body,
  };
}
