/**
 * Volumes on disks of a cloud, where PersistentVolumeLabel is on. What it refuses reads as a real 1.13.12 puts it, but for the reason at the
 * end, which there is that of the cloud's own client: without a cloud it said 403 to each of these, and took the others.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { aCluster, type TestCluster } from '../../support/cluster.ts';
import { asker, type Ask } from '../seeds-client.ts';

const options = { 'enable-admission-plugins': 'PersistentVolumeLabel' };
const zone = 'failure-domain.beta.kubernetes.io/zone';
const region = 'failure-domain.beta.kubernetes.io/region';
const uri = '/subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/disks/data';

function volume(name: string, spec: object, labels?: object): object {
  return { metadata: { name, ...(labels && { labels }) }, spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], ...spec } };
}

function create(ask: Ask, body: object): { readonly status: number; readonly body: { readonly [name: string]: unknown } } {
  return ask('POST', '/api/v1/persistentvolumes', { body });
}

const inClouds: readonly (readonly [name: string, spec: object, told: string])[] = [
  ['aws', { awsElasticBlockStore: { volumeID: 'aws://a/data' } }, 'AWS EBS volume aws://a/data: unable to build AWS cloud provider for EBS'],
  ['gce', { gcePersistentDisk: { pdName: 'data' } }, 'GCE PD volume data: unable to build GCE cloud provider for PD'],
  [
    'azure',
    { azureDisk: { diskName: 'data', diskURI: uri, kind: 'Managed' } },
    'AzureDisk volume data: unable to build Azure cloud provider for AzureDisk',
  ],
  ['vsphere', { vsphereVolume: { volumePath: 'data' } }, 'vSphere Volume data: unable to build vSphere cloud provider'],
];

describe('without a cloud', () => {
  let ask: Ask;
  beforeAll(async () => {
    ask = asker(await aCluster({ seed: 1, nodes: 0, release: '1.13', options }));
  });

  it.each(inClouds)('a disk of %s is refused', (name, spec, told) => {
    expect(create(ask, volume(name, spec)).body).toMatchObject({
      code: 403,
      message: `persistentvolumes "${name}" is forbidden: error querying ${told}`,
    });
  });

  it.each([
    ['nfs', { nfs: { server: 'a', path: '/b' } }],
    ['cinder', { cinder: { volumeID: 'x' } }],
    ['being-made', { awsElasticBlockStore: { volumeID: 'placeholder-for-provisioning' } }],
  ])('%s passes', (name, spec) => {
    expect(create(ask, volume(name, spec)).status).toBe(201);
  });
});

describe('with the simulated cloud', () => {
  let tank: TestCluster;
  let ask: Ask;
  beforeAll(async () => {
    tank = await aCluster({ seed: 1, nodes: 2, zones: 2, release: '1.13', options: { ...options, 'cloud-provider': 'wavetank' } });
    await tank.advance(60_000);
    ask = asker(tank);
    const home = tank.cluster.cloud?.instance('node-1')?.zone ?? '';
    expect(home).not.toBe('');
    tank.cluster.cloud?.disks.create({ name: 'data', zone: home, sizeBytes: 1024 });
  });

  it.each(inClouds)('a disk of %s says where it is', (name, spec) => {
    const { zone: home, region: around } = tank.cluster.cloud?.instance('node-1') ?? {};
    const { metadata, spec: made } = create(ask, volume(name, spec, { [zone]: home, mine: 'yes' })).body as {
      readonly metadata: { readonly labels: object };
      readonly spec: { readonly nodeAffinity: unknown };
    };
    expect(metadata.labels).toEqual({ mine: 'yes', [zone]: home, [region]: around });
    const matchExpressions = [
      { key: zone, operator: 'In', values: [home] },
      { key: region, operator: 'In', values: [around] },
    ];
    expect(made.nodeAffinity).toEqual({ required: { nodeSelectorTerms: [{ matchExpressions }] } });
  });

  it('terms that name the zone already stay as they are', () => {
    const nodeAffinity = {
      required: {
        nodeSelectorTerms: [{ matchExpressions: [{ key: zone, operator: 'Exists' }] }, { matchExpressions: [{ key: 'x', operator: 'Exists' }] }],
      },
    };
    const { spec } = create(ask, volume('placed', { gcePersistentDisk: { pdName: 'data' }, nodeAffinity })).body as {
      readonly spec: { readonly nodeAffinity: unknown };
    };
    expect(spec.nodeAffinity).toEqual(nodeAffinity);
  });

  it('a disk that is not there, or not in the zone that a label tells, is refused', () => {
    const missing = create(ask, volume('missing', { gcePersistentDisk: { pdName: 'other' } }));
    const elsewhere = create(ask, volume('elsewhere', { gcePersistentDisk: { pdName: 'data' } }, { [zone]: 'nowhere' }));
    expect([missing.status, elsewhere.status]).toEqual([403, 403]);
  });
});
