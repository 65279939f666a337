import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Lease } from '../api/coordination/v1/types.gen.ts';
import { aCluster, madeCluster, type TestCluster } from '../../test/support/cluster.ts';
import { serverName } from './identity-lease.ts';

const path = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases';
const hourMs = 3_600_000;

function leasesOf({ call }: TestCluster): readonly Lease[] {
  return call<{ items: Lease[] }>('GET', path).items;
}

const labels = { 'apiserver.kubernetes.io/identity': 'kube-apiserver', 'kubernetes.io/hostname': 'other' };

function aLease(name: string, spec: Lease['spec'], labelled = labels): object {
  return { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name, labels: labelled }, spec };
}

describe('the lease of the API server', () => {
  it('says which server runs, and is renewed every ten seconds', async () => {
    const tank = await aCluster({ nodes: 0 });
    const [lease, ...others] = leasesOf(tank);
    expect(others).toEqual([]);
    const name = serverName((text) => hash('sha256', text, 'hex'));
    expect(lease).toMatchObject({
      metadata: {
        name,
        namespace: 'kube-system',
        labels: { 'apiserver.kubernetes.io/identity': 'kube-apiserver', 'kubernetes.io/hostname': 'wavetank' },
        annotations: { 'kubernetes.io/peer-advertise-address': '172.18.0.1:6443' },
      },
      spec: { leaseDurationSeconds: 3600, renewTime: expect.any(String) },
    });
    expect(lease?.spec?.holderIdentity).toMatch(new RegExp(`^${name}_[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`));
    await tank.advance(60_000);
    const [renewed] = leasesOf(tank);
    expect(renewed?.metadata.uid).toBe(lease?.metadata.uid);
    expect(Date.parse(renewed?.spec?.renewTime ?? '')).toBeGreaterThan(tank.cluster.loop.nowMs() - 10_500);
  });

  it('comes again when somebody deletes it, and goes on over what somebody writes and over a restore', async () => {
    const tank = await aCluster({ nodes: 0 });
    const [lease] = leasesOf(tank);
    const own = `${path}/${lease?.metadata.name}`;
    tank.call('DELETE', own);
    await tank.advance(11_000);
    const [again] = leasesOf(tank);
    expect(again?.metadata.uid).not.toBe(lease?.metadata.uid);
    expect(again?.spec?.holderIdentity).toBe(lease?.spec?.holderIdentity);
    tank.call('PATCH', own, { metadata: { labels: { mine: 'yes', 'kubernetes.io/hostname': null } } }, 'application/merge-patch+json');
    await tank.advance(11_000);
    expect(leasesOf(tank)[0]?.metadata.labels).toEqual({ ...again?.metadata.labels, mine: 'yes' });
    await tank.quiet();
    const restored = madeCluster({ nodes: 0 });
    restored.cluster.restore(JSON.parse(JSON.stringify(tank.cluster.save())));
    await restored.advance(11_000);
    await tank.advance(11_000);
    expect(leasesOf(restored)).toEqual(leasesOf(tank));
  });

  it('outlives those of servers that renew theirs no more', async () => {
    const tank = await aCluster({ nodes: 0 });
    const renewTime = new Date(tank.cluster.loop.nowMs()).toISOString().replace('Z', '000Z');
    tank.call('POST', path, aLease('gone', { renewTime, leaseDurationSeconds: 60 }));
    tank.call('POST', path, aLease('silent', {}));
    tank.call('POST', path, aLease('there', { renewTime, leaseDurationSeconds: 2 * 3600 }));
    tank.call('POST', path, aLease('unlabelled', {}, {} as typeof labels));
    await tank.advance(hourMs + 1000);
    expect(leasesOf(tank).map(({ metadata: { name } }) => name)).toEqual([expect.stringMatching('^apiserver-'), 'there', 'unlabelled']);
  });

  it.each([
    ['its gate is off', { options: { 'feature-gates': 'APIServerIdentity=false,UnknownVersionInteroperabilityProxy=false' } }],
    ['the release knows none', { release: '1.13' }],
  ])('is not there where %s', async (_, config) => {
    const tank = await aCluster({ nodes: 0, ...config });
    await tank.advance(20_000);
    expect(tank.cluster.stored('leases')).toEqual([]);
  });
});
