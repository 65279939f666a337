/** Where the change behind a crash is to be seen: the timeline around its instants, with what its key names searched for and, where that tells the kind, selected. */
import type { CrashRecord } from '../../../engine/api/sim/v1alpha1/crash-record.ts';
import { rowIdOf } from '../../api/resources.ts';
import type { Place } from '../../state/address.ts';

/** On both sides of it. */
const besideMs = 30_000;

/** What keys call kinds, besides resources by their names. */
const named: ReadonlyMap<string, string> = new Map([
  ['pod', 'pods'],
  ['claim', 'persistentvolumeclaims'],
  ['heartbeat of', 'nodes'],
  ['run', 'scenarioruns.sim.wavetank.dev'],
]);

export function placeOfCrash({ key, firstAt, lastAt }: Pick<CrashRecord, 'key' | 'firstAt' | 'lastAt'>): Partial<Place> {
  const { search, selected } = subjectOf(key);
  const [fromMs, toMs] = [Date.parse(firstAt) - besideMs, Date.parse(lastAt) + besideMs];
  return { view: 'timeline', kind: 'all', filter: '', search, selected, tab: 'overview', revision: undefined, range: [fromMs, toMs] };
}

/** `pod shop/web-1 on node-0`, `status of pod shop/web-1`, `heartbeat of node-0`, `PUT /api/v1/namespaces/shop/pods/web-1`, `shop/web`, `monitor`. */
function subjectOf(key: string): { readonly search: string; readonly selected: string } {
  for (const [word, type] of named) {
    const [, namespace, name = ''] = new RegExp(`(?:^| )${word} (?:([^ /]+)/)?([^ /]+)(?: on \\S+)?$`).exec(key) ?? [];
    const [resource = '', ...group] = type.split('.');
    if (name !== '') return { search: name, selected: rowIdOf({ resource, group: group.join('.') }, namespace, name) };
  }
  const [, path] = /^[A-Za-z]+ (\/\S*)$/.exec(key) ?? [];
  if (path !== undefined) return { search: /\/[^/?]*\/([^/?]+)\/?(?:\?.*)?$/.exec(path)?.[1] ?? '', selected: '' };
  return { search: /\/([^/ ]+)$/.exec(key)?.[1] ?? '', selected: '' };
}
