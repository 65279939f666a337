import { describe, expect, it } from 'vitest';
import { formatAddress, isStep, parseAddress, type Place } from './address.ts';

const place: Place = {
  view: 'objects',
  selected: 'deployments.apps/default/web',
  tab: 'why',
  revision: 312,
  attempt: undefined,
  node: '',
  search: 'a b&c=#%',
  kind: 'deployments.apps',
  filter: 'status.phase=Pending',
  group: 'node',
  folded: '*,node-1,pods/a/b',
  month: '2026-11',
  range: [1000, 2000],
  last: undefined,
  compared: [1200.25, 1900],
  became: 'Created',
  find: 'web & co',
  table: true,
  drawer: 'logs',
  warnings: false,
  logs: 'pods/a/b,deployments.apps/a/web',
  container: 'main',
  logShow: 'previous,only',
  logFind: 'a=b & c',
};

describe('addresses', () => {
  it('name everything, and are read back the same', () => expect(parseAddress(formatAddress(place))).toEqual(place));

  it('name how much of the past is followed, and only where it follows', () => {
    for (const last of [86_400_000, Infinity, undefined]) {
      const followed: Place = { ...place, range: undefined, last };
      expect(parseAddress(formatAddress(followed))).toEqual(followed);
    }
    expect(parseAddress(formatAddress({ ...place, last: 1000 })).last).toBeUndefined();
    expect(parseAddress('#/timeline?last=-5').last).toBeUndefined();
  });

  it('name the decision of a pod that is told, and only where it is', () => {
    const told: Place = { ...place, selected: 'pods/a/b', tab: 'decision', attempt: 3, node: 'node-2' };
    expect(parseAddress(formatAddress(told))).toEqual(told);
    expect(parseAddress(formatAddress({ ...told, tab: 'why' }))).toMatchObject({ attempt: undefined, node: '' });
  });

  it('name that the drawer lists warnings alone, and only where it lists Events', () => {
    const warned: Place = { ...place, drawer: 'events', warnings: true, logs: '', container: '', logShow: '', logFind: '' };
    expect(parseAddress(formatAddress(warned))).toEqual(warned);
    expect(parseAddress(formatAddress({ ...warned, drawer: 'requests' })).warnings).toBe(false);
    expect(isStep(warned, { ...warned, warnings: false })).toBe(true);
  });

  it.each([
    ['', { view: 'timeline', selected: '', tab: 'overview', range: undefined }],
    ['#/nowhere?tab=none&revision=-1', { view: 'timeline', tab: 'overview', revision: undefined }],
    ['#/cluster?from=5&to=4', { view: 'cluster', range: undefined }],
    ['#/cluster?from=1&to=1e300', { range: undefined }],
    ['#/cluster?from=&to=5', { range: undefined }],
    // The first minutes of a cluster whose clock begins with 1970.
    ['#/timeline?from=-60000&to=240000', { range: [-60000, 240000] }],
    ['#/timeline?from=0&to=240000', { range: [0, 240000] }],
    ['#/timeline?before=5&after=5', { compared: undefined }],
    ['#/cronjobs?month=2026-13&drawer=cellar', { month: '', drawer: '' }],
    ['#/cronjobs?month=0099-01', { month: '' }],
    ['#/timeline?object=pods/a/b&tab=decision&attempt=0.5', { attempt: undefined }],
    ['#/cluster?object=%zz', { view: 'cluster', selected: '%zz' }],
  ] as const)('what cannot be read is not given: %s', (hash, part) => expect(parseAddress(hash)).toMatchObject(part));

  it('a selection is a step that back undoes; typing and panning are not', () => {
    expect(isStep(place, { ...place, selected: 'nodes/a' })).toBe(true);
    expect(isStep(place, { ...place, filter: '' })).toBe(true);
    expect(isStep(place, { ...place, compared: undefined })).toBe(true);
    expect(isStep(place, { ...place, table: false })).toBe(true);
    for (const part of [{ folded: '' }, { month: '' }, { drawer: '' }, { logs: '' }, { attempt: 2 }, { node: 'node-1' }] as const)
      expect(isStep(place, { ...place, ...part })).toBe(true);
    expect(isStep(place, { ...place, find: '' })).toBe(false);
    expect(isStep(place, { ...place, search: 'x', range: undefined, tab: 'yaml' })).toBe(false);
  });
});
