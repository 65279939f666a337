/** Options of controllers and scheduler that whole clusters show: switches, shares, names, rates. */
import { X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Endpoints, Pod } from '../../engine/api/core/v1/types.gen.ts';
import type { EndpointSlice } from '../../engine/api/discovery/v1/types.gen.ts';
import { persistentVolumes, pods } from '../../engine/client/resources.ts';
import { certificateSigningRequestSigningController } from '../../engine/controllers/csrsigning/controller.ts';
import { certificateSigningRequests } from '../../engine/controllers/lib/certificates.ts';
import { persistentVolumeBinderController } from '../../engine/controllers/persistentvolume-binder/controller.ts';
import { ControllerBench } from '../../engine/controllers/testing/controller-bench.ts';
import { optionsOf } from '../../engine/controllers/testing/default-options.ts';
import { createAuthority } from '../../engine/serving/certificates.ts';
import { createCertificateReader } from '../../engine/serving/certificate-signer.ts';
import { kubeletRequest } from '../support/certificate-requests.ts';
import { aCluster, aDeployment, madeCluster, type TestCluster } from '../support/cluster.ts';

const core = '/api/v1/namespaces/default';
const deployments = '/apis/apps/v1/namespaces/default/deployments';

describe('--controllers', () => {
  const running = (controllers: string): readonly string[] => madeCluster({ options: { controllers } }).cluster.controllerNames();

  it("'*' is all that are on by default, a name one of the others, -name takes one away", () => {
    expect(running('*')).toContain('job-controller');
    expect(running('*')).not.toContain('token-cleaner-controller');
    expect(running('*,tokencleaner')).toContain('token-cleaner-controller');
    expect(running('*,-job')).not.toContain('job-controller');
    expect(running('job')).toEqual(['job-controller']);
  });

  it('--enable-taint-manager=false: nobody evicts by taints', () => {
    const { cluster } = madeCluster({ options: { 'enable-taint-manager': 'false' } });
    expect(cluster.controllerNames()).not.toContain('taint-eviction-controller');
  });
});

describe('--kube-api-qps and --kube-api-burst', () => {
  async function podsAfter(ms: number, qps: string, burst: string): Promise<number> {
    const { call, advance } = await aCluster({ nodes: 1, options: { 'kube-api-qps': qps, 'kube-api-burst': burst } });
    call('POST', deployments, aDeployment('web', 40));
    await advance(ms);
    return call<{ items: Pod[] }>('GET', `${core}/pods`).items.length;
  }

  it('hold a controller up', async () => {
    expect(await podsAfter(10_000, '50', '100')).toBe(40);
    expect(await podsAfter(10_000, '1', '2')).toBeLessThanOrEqual(12);
  });
});

describe('--scheduler-name', () => {
  it('is whose pods are placed', async () => {
    const { call, advance } = await aCluster({ nodes: 1, options: { 'scheduler-name': 'mine' } });
    const spec = { containers: [{ name: 'c', image: 'nginx:1.27' }] };
    for (const [name, schedulerName] of [
      ['ours', 'mine'],
      ['others', 'default-scheduler'],
    ])
      call('POST', `${core}/pods`, { apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec: { ...spec, schedulerName } });
    await advance(20_000);
    expect(call<Pod>('GET', `${core}/pods/ours`).spec?.nodeName).toBe('node-0');
    expect(call<Pod>('GET', `${core}/pods/others`).spec?.nodeName).toBeUndefined();
  });
});

describe('endpoints', () => {
  const slices = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices';
  let tank: TestCluster;

  it('--max-endpoints-per-slice splits them', async () => {
    const { call, advance } = await aCluster({ nodes: 2, options: { 'max-endpoints-per-slice': '2' } });
    call('POST', deployments, aDeployment('web', 5));
    const spec = { selector: { app: 'web' }, ports: [{ port: 80 }] };
    call('POST', `${core}/services`, { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' }, spec });
    await advance(60_000);
    const { items } = call<{ items: EndpointSlice[] }>('GET', '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices');
    const sizes = items.filter(({ metadata }) => metadata.name?.startsWith('web-')).map(({ endpoints }) => endpoints?.length);
    expect(sizes.sort()).toEqual([1, 2, 2]);
  });

  async function mirrored(options: Readonly<Record<string, string>>): Promise<() => readonly number[]> {
    const { call, advance } = (tank = await aCluster({ nodes: 1, options }));
    call('POST', `${core}/services`, { apiVersion: 'v1', kind: 'Service', metadata: { name: 'far' }, spec: { ports: [{ port: 80 }] } });
    const addresses = ['192.0.2.1', '192.0.2.2', '192.0.2.3'].map((ip) => ({ ip }));
    const endpoints = { apiVersion: 'v1', kind: 'Endpoints', metadata: { name: 'far' }, subsets: [{ addresses, ports: [{ port: 80 }] }] };
    call('POST', `${core}/endpoints`, endpoints satisfies object as Endpoints);
    await advance(20_000);
    return () => {
      const { items } = call<{ items: EndpointSlice[] }>('GET', slices);
      return items.filter(({ metadata }) => metadata.name?.startsWith('far-')).map(({ endpoints: all }) => all?.length ?? 0);
    };
  }

  it('--mirroring-max-endpoints-per-subset leaves the rest out', async () => {
    expect((await mirrored({}))()).toEqual([3]);
    expect((await mirrored({ 'mirroring-max-endpoints-per-subset': '2' }))()).toEqual([2]);
  });

  it('--mirroring-endpointslice-updates-batch-period is how long changes of slices are gathered', async () => {
    const now = await mirrored({ 'mirroring-endpointslice-updates-batch-period': '30s' });
    tank.call('DELETE', slices);
    await tank.advance(10_000);
    expect(now()).toEqual([]);
    await tank.advance(30_000);
    expect(now()).toEqual([3]);
  });
});

it.each([
  ['hostPath', { path: '/tmp/v' }, { 'pv-recycler-minimum-timeout-hostpath': '600' }, 600],
  ['hostPath', { path: '/tmp/v' }, { 'pv-recycler-timeout-increment-hostpath': '100' }, 500],
  ['nfs', { server: 's', path: '/v' }, { 'pv-recycler-minimum-timeout-nfs': '900' }, 900],
  ['nfs', { server: 's', path: '/v' }, { 'pv-recycler-increment-timeout-nfs': '200' }, 1000],
])('--pv-recycler-…: a recycler of %s %j with %j may take %d s', async (source, value, flags, seconds) => {
  const bench = new ControllerBench({ options: optionsOf(flags) });
  bench.add(persistentVolumes, {
    metadata: { name: 'v' },
    spec: {
      accessModes: ['ReadWriteOnce'],
      capacity: { storage: '5Gi' },
      persistentVolumeReclaimPolicy: 'Recycle',
      [source]: value,
      claimRef: { namespace: 'default', name: 'gone', uid: 'gone' },
    },
    status: { phase: 'Bound' },
  });
  await bench.run(persistentVolumeBinderController);
  expect(bench.mustGet(pods, 'default', 'recycler-for-v').spec?.activeDeadlineSeconds).toBe(seconds);
});

it.each(['cluster-signing-duration', 'experimental-cluster-signing-duration'])('--%s is the longest that a certificate is good', async (flag) => {
  const authority = createAuthority('ca');
  const nowMs = Math.floor(new X509Certificate(authority.certificatePem).validFromDate.getTime() / 1000) * 1000 + 7_200_000;
  const options = { ...optionsOf({ [flag]: '10h' }), certificates: createCertificateReader(authority) };
  const bench = new ControllerBench({ nowMs, options });
  const spec = {
    request: btoa(kubeletRequest),
    signerName: 'kubernetes.io/kube-apiserver-client-kubelet',
    usages: ['digital signature', 'client auth'],
  };
  const nowText = '2026-01-01T00:00:00Z';
  const approved = { type: 'Approved', status: 'True', lastUpdateTime: nowText, lastTransitionTime: nowText };
  bench.add(certificateSigningRequests, { metadata: { name: 'r' }, spec, status: { conditions: [approved] } });
  await bench.run(certificateSigningRequestSigningController);
  const text = bench.mustGet(certificateSigningRequests, undefined, 'r').status?.certificate ?? '';
  const { validToDate } = new X509Certificate(Buffer.from(text, 'base64'));
  expect(validToDate.getTime() - nowMs).toBe(10 * 3_600_000 - 300_000);
});
