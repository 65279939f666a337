/** How a story deletes: one object or many, with every option. */
import type { RandomStream } from '../../engine/base/random.ts';
import type { JsonObject } from '../../engine/base/json.ts';
import type { Asked } from './reads.ts';
import type { Place } from './story.ts';
import { pick } from './values.ts';

const json = 'application/json';

export function deleteStep(random: RandomStream, place: Place, name: string): Asked {
  const body = random.next() < 0.45 ? undefined : options(random, name);
  const query = random.next() < 0.75 ? '' : pick(random, ['gracePeriodSeconds=0', 'propagationPolicy=Background', 'propagationPolicy=Foreground', 'propagationPolicy=Orphan', 'orphanDependents=true', 'dryRun=All']); // biome-ignore format: a table
  const isMany = random.next() < 0.2;
  const chosen = isMany ? selection(random, place, name) : '';
  return {
    method: 'DELETE',
    path: isMany ? place.collection : `${place.collection}/${name}`,
    query: [chosen, query].filter((part) => part !== '').join('&'),
    type: body === undefined ? '' : json,
    accept: random.next() < 0.95 ? json : 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
    ...(body === undefined ? {} : { body }),
  };
}

function options(random: RandomStream, name: string): JsonObject {
  const drawn = pick<JsonObject>(random, [
    {},
    { gracePeriodSeconds: 0 },
    { gracePeriodSeconds: 5 },
    { gracePeriodSeconds: 1, propagationPolicy: 'Foreground' },
    { propagationPolicy: 'Foreground' },
    { propagationPolicy: 'Orphan' },
    { propagationPolicy: 'Background' },
    { orphanDependents: true },
    { orphanDependents: false },
    { preconditions: { uid: `$uid:${name}` } },
    { preconditions: { uid: '1b671a64-40d5-491e-99b0-da01ff1f3341' } },
    { preconditions: { resourceVersion: `$version:${name}` } },
    { preconditions: { resourceVersion: `$first:${name}` } },
    { preconditions: { uid: `$uid:${name}`, resourceVersion: `$version:${name}` } },
    { dryRun: ['All'] },
  ]);
  return random.next() < 0.6 ? { kind: 'DeleteOptions', apiVersion: 'v1', ...drawn } : drawn;
}

/** Never the objects of others. */
function selection(random: RandomStream, { base, namespace }: Place, name: string): string {
  const own = `fieldSelector=${encodeURIComponent(`metadata.name=${name}`)}`;
  if (namespace === undefined || base.kind.kind === 'ServiceAccount') return own;
  return pick(random, [
    '',
    own,
    'labelSelector=app%3Da',
    'labelSelector=app%21%3Da',
    `fieldSelector=${encodeURIComponent(`metadata.name!=${name}`)}`,
    'limit=1',
  ]);
}
