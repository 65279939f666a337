import { describe, expect, it } from 'vitest';
import { configMaps, pods, secrets, serviceAccounts } from '../../client/resources.ts';
import { ControllerBench } from '../testing/controller-bench.ts';
import { legacyServiceAccountTokenCleanerController } from './controller.ts';

const day = 86_400_000;
const invalidSince = 'kubernetes.io/legacy-token-invalid-since';
const lastUsed = 'kubernetes.io/legacy-token-last-used';
const namespace = 'default';

interface Situation {
  readonly labels?: Readonly<Record<string, string>>;
  readonly since?: string;
  readonly created?: string;
  readonly listed?: boolean;
  readonly mounted?: boolean;
}

/** A token that was made long ago, in a cluster that has noted uses since 2026 began; two days may pass unused. */
async function aBench({
  labels = {},
  since = '2026-01-01',
  created = '2025-01-01T00:00:00Z',
  listed = true,
  mounted = false,
}: Situation = {}): Promise<ControllerBench> {
  const bench = new ControllerBench({ nowMs: Date.parse('2026-02-01T00:00:00Z'), options: { legacyTokenCleanUpMs: 2 * day } });
  bench.add(configMaps, { metadata: { namespace: 'kube-system', name: 'kube-apiserver-legacy-service-account-token-tracking' }, data: { since } });
  bench.add(serviceAccounts, { metadata: { namespace, name: 'a', uid: 'account' }, secrets: listed ? [{ name: 's' }] : [] });
  const annotations = { 'kubernetes.io/service-account.name': 'a', 'kubernetes.io/service-account.uid': 'account' };
  bench.add(secrets, {
    metadata: { namespace, name: 's', labels, annotations, creationTimestamp: created },
    type: 'kubernetes.io/service-account-token',
  });
  if (mounted)
    bench.add(pods, { metadata: { namespace, name: 'p' }, spec: { containers: [], volumes: [{ name: 'v', secret: { secretName: 's' } }] } });
  await bench.run(legacyServiceAccountTokenCleanerController);
  return bench;
}

describe('legacy-serviceaccount-token-cleaner-controller', () => {
  it('marks a token that nobody uses, and deletes it when that stays so', async () => {
    const bench = await aBench();
    expect(bench.get(secrets, namespace, 's')?.metadata.labels?.[invalidSince]).toBe('2026-02-01');
    await bench.advance(2 * day);
    expect(bench.list(secrets).map(({ metadata }) => metadata.name)).toEqual(['s']);
    await bench.advance(day);
    expect(bench.list(secrets)).toEqual([]);
  });

  it.each<[string, Situation]>([
    ['was used lately', { labels: { [lastUsed]: '2026-01-31' } }],
    ['was made lately', { created: '2026-01-31T12:00:00Z' }],
    ['was made by hand', { listed: false }],
    ['a pod mounts', { mounted: true }],
    ['may have been used before uses were noted', { since: '2026-01-30' }],
    ['nobody knows about, since uses are not noted', { since: 'soon' }],
  ])('leaves one alone that %s', async (_what, situation) => {
    expect((await aBench(situation)).writes).toEqual([]);
  });
});
