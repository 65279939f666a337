import { expect, it } from 'vitest';
import { placeOfCrash } from './crash-place.ts';

const at = { firstAt: '2026-11-23T08:00:00Z', lastAt: '2026-11-23T08:01:00Z' };
const placeOf = (key: string) => placeOfCrash({ key, ...at });

it('a crash leads to the timeline around all of it, with what its key names', () => {
  expect(placeOf('default/web')).toMatchObject({
    view: 'timeline',
    kind: 'all',
    search: 'web',
    range: [Date.parse('2026-11-23T07:59:30Z'), Date.parse('2026-11-23T08:01:30Z')],
  });
});

it.each([
  ['pod shop/web-1', 'web-1', 'pods/shop/web-1'],
  ['status of pod shop/web-1 on node-0', 'web-1', 'pods/shop/web-1'],
  ['heartbeat of node-0', 'node-0', 'nodes/node-0'],
  ['file system of claim shop/data', 'data', 'persistentvolumeclaims/shop/data'],
  ['run outage-x7', 'outage-x7', 'scenarioruns.sim.wavetank.dev/outage-x7'],
  ['PUT /api/v1/namespaces/shop/pods/web-1?dryRun=All', 'web-1', ''],
  ['jobs shop/once', 'once', ''],
  ['own/monitor', 'monitor', ''],
  ['call', '', ''],
])('%s names %s', (key, search, selected) => {
  expect(placeOf(key)).toMatchObject({ search, selected });
});
