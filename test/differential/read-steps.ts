/** What a story reads: single objects, lists in pieces and by selectors, watches from every kind of beginning. */
import type { RandomStream } from '../../engine/base/random.ts';
import type { Asked } from './reads.ts';
import type { Place } from './story.ts';
import { pick } from './values.ts';

const json = 'application/json';
const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const single = [json, json, json, json, table, `${table},${json}`, 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io', 'application/yaml', 'application/json;as=Table;v=v1beta1;g=meta.k8s.io']; // biome-ignore format: a table
const several = [json, json, json, table, 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io', 'application/yaml'];
const labels = ['app=a', 'app!=a', 'app in (a,b)', 'app notin (a)', 'app', '!app', 'tier=x,app=b', 'nobody=has'];

export function readStep(random: RandomStream, place: Place, name: string): Asked {
  const dice = random.next();
  if (dice < 0.4) return get(random, place, name);
  return dice < 0.8 ? list(random, place, name) : watch(random, place, name);
}

function get(random: RandomStream, { collection }: Place, name: string): Asked {
  const query = pick(random, [
    '',
    '',
    '',
    'resourceVersion=0',
    `resourceVersion=$first:${name}`,
    `resourceVersion=$version:${name}`,
    'includeObject=Object',
  ]);
  const tail = random.next() < 0.1 ? '/status' : '';
  const accept = pick(random, single);
  return {
    method: 'GET',
    path: `${collection}/${name}${tail}`,
    query: accept.includes('Table') ? query : query.replace(/include.*/, ''),
    type: '',
    accept,
  };
}

/** Own objects only, whatever others there are. */
function ours({ base, namespace }: Place, name: string): string {
  return namespace === undefined || base.kind.kind === 'ServiceAccount' ? `fieldSelector=${encodeURIComponent(`metadata.name=${name}`)}` : '';
}

function selector(random: RandomStream, place: Place, name: string): readonly string[] {
  const own = ours(place, name);
  const label = random.next() < 0.35 ? [`labelSelector=${encodeURIComponent(pick(random, labels))}`] : [];
  if (own !== '') return [own, ...label];
  const field = random.next() < 0.25 ? [`fieldSelector=${encodeURIComponent(pick(random, fields(place, name)))}`] : [];
  return [...field, ...label];
}

function fields({ base, namespace }: Place, name: string): readonly string[] {
  const of = base.kind.kind;
  const more =
    of === 'Pod'
      ? ['status.phase=Pending', 'spec.nodeName=', 'spec.nodeName=node-1', 'spec.restartPolicy=Always', 'spec.hostNetwork=false']
      : of === 'Secret'
        ? ['type=Opaque', 'type!=Opaque']
        : [];
  return [`metadata.name=${name}`, `metadata.name!=${name}`, `metadata.namespace=${namespace ?? ''}`, ...more];
}

const listings = [
  '', '', '', 'limit=1', 'limit=2', 'limit=1&continue=$continue', 'limit=2&continue=$continue', 'continue=$continue', 'resourceVersion=0', 'resourceVersion=$first:NAME', 'resourceVersion=$version:NAME&resourceVersionMatch=NotOlderThan',
  'resourceVersion=$first:NAME&resourceVersionMatch=Exact', 'resourceVersion=$version:NAME&resourceVersionMatch=Exact', 'resourceVersion=$first:NAME&resourceVersionMatch=Exact&limit=1', 'resourceVersionMatch=NotOlderThan&resourceVersion=0', 'resourceVersion=$version:NAME&limit=1',
  'continue=$continue&resourceVersion=$first:NAME', 'continue=$continue&resourceVersionMatch=Exact', 'resourceVersion=0&limit=1', 'resourceVersion=$listed&resourceVersionMatch=Exact',
]; // biome-ignore format: a table

function list(random: RandomStream, place: Place, name: string): Asked {
  const parts = [...selector(random, place, name), pick(random, listings).replaceAll('NAME', name)];
  const isWide = parts.some((part) => part.includes(encodeURIComponent(`metadata.name=${name}`))) && random.next() < 0.2;
  const query = parts.filter((part) => part !== '').join('&');
  return { method: 'GET', path: isWide ? place.everywhere : place.collection, query, type: '', accept: pick(random, several) };
}

const beginnings = [
  'resourceVersion=$first:NAME', 'resourceVersion=$first:NAME', 'resourceVersion=$version:NAME', 'resourceVersion=0', '', 'resourceVersion=$listed', 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true',
  'sendInitialEvents=true&resourceVersionMatch=NotOlderThan', 'sendInitialEvents=true', 'sendInitialEvents=false&resourceVersionMatch=NotOlderThan&resourceVersion=$first:NAME', 'resourceVersionMatch=Exact&resourceVersion=$first:NAME', 'resourceVersion=1',
  'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&resourceVersion=$version:NAME', 'resourceVersion=abc', 'allowWatchBookmarks=true&resourceVersion=$first:NAME', 'sendInitialEvents=true&resourceVersionMatch=Exact&resourceVersion=$first:NAME',
]; // biome-ignore format: a table

function watch(random: RandomStream, place: Place, name: string): Asked {
  const parts = [...selector(random, place, name), pick(random, beginnings).replaceAll('NAME', name)].filter((part) => part !== '');
  const query = ['watch=true', 'timeoutSeconds=1', ...parts].join('&');
  const accept = pick(random, [json, json, json, table, 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io', 'application/yaml']);
  return { method: 'GET', path: place.collection, query, type: '', accept };
}
