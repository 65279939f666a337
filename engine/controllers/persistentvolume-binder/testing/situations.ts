/** Situations of claims and volumes: what is there, and what the binder makes of it. */
import type { Draft } from '../../../../test/support/bench.ts';

const waiting =
  "Normal ExternalProvisioning Waiting for a volume to be created either by the external provisioner 'csi.example.com' or manually by the system " +
  'administrator. If volume creation is delayed, please verify that the provisioner is running and correctly registered.';
const noVolume = 'Normal FailedBinding no persistent volumes available for this claim and no storage class is set';

interface Extra {
  readonly metadata?: object;
  readonly spec?: object;
  readonly status?: object;
}

export function claim(name: string, { metadata, spec, status }: Extra = {}): Draft {
  return {
    metadata: { namespace: 'ns', name, uid: `uid-${name}`, finalizers: ['kubernetes.io/pvc-protection'], ...metadata },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, storageClassName: '', ...spec },
    status: { phase: 'Pending', ...status },
  };
}

export function volume(name: string, { metadata, spec, status }: Extra = {}): Draft {
  return {
    metadata: { name, ...metadata },
    spec: {
      capacity: { storage: '5Gi' },
      accessModes: ['ReadWriteOnce'],
      hostPath: { path: `/tmp/${name}` },
      persistentVolumeReclaimPolicy: 'Retain',
      ...spec,
    },
    status: { phase: 'Available', ...status },
  };
}

const ref = (name: string, uid = `uid-${name}`): object => ({
  claimRef: { kind: 'PersistentVolumeClaim', apiVersion: 'v1', namespace: 'ns', name, ...(uid === '' ? {} : { uid }) },
});
const completed = { annotations: { 'pv.kubernetes.io/bind-completed': 'yes', 'pv.kubernetes.io/bound-by-controller': 'yes' } };
const byController = { annotations: { 'pv.kubernetes.io/bound-by-controller': 'yes' } };
const boundClaim = claim('c', {
  metadata: completed,
  spec: { volumeName: 'v' },
  status: { phase: 'Bound', capacity: { storage: '5Gi' }, accessModes: ['ReadWriteOnce'] },
});
export const boundVolume = (spec: object = {}, metadata: object = byController): Draft =>
  volume('v', { metadata, spec: { ...ref('c'), ...spec }, status: { phase: 'Bound' } });

function storageClass(name: string, rest: object = {}): Draft {
  return { metadata: { name }, provisioner: 'csi.example.com', ...rest };
}

export interface Situation {
  readonly name: string;
  readonly claims?: readonly Draft[];
  readonly volumes?: readonly Draft[];
  readonly classes?: readonly Draft[];
  readonly pods?: readonly Draft[];
  /** By volume: phase, and whose claimRef. */
  readonly wantVolumes?: { readonly [name: string]: string };
  /** By claim: phase and volume. */
  readonly wantClaims?: { readonly [name: string]: string };
  readonly events?: readonly string[];
}

export const situations: readonly Situation[] = [
  {
    name: 'the smallest volume that is large enough',
    claims: [claim('c')],
    volumes: [
      volume('big'),
      volume('small', { spec: { capacity: { storage: '500Mi' } } }),
      volume('fits', { spec: { capacity: { storage: '2Gi' } } }),
    ],
    wantClaims: { c: 'Bound fits 2Gi' },
    wantVolumes: { big: 'Available', small: 'Available', fits: 'Bound ns/c' },
  },
  {
    name: 'the fewest access modes before the size',
    claims: [claim('c')],
    volumes: [volume('many', { spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce', 'ReadOnlyMany'] } }), volume('one')],
    wantClaims: { c: 'Bound one 5Gi' },
  },
  {
    name: 'an access mode that no volume offers',
    claims: [claim('c', { spec: { accessModes: ['ReadWriteMany'] } })],
    volumes: [volume('v')],
    wantClaims: { c: 'Pending' },
    events: [noVolume],
  },
  {
    name: 'another mode',
    claims: [claim('c', { spec: { volumeMode: 'Block' } })],
    volumes: [volume('v')],
    wantClaims: { c: 'Pending' },
    events: [noVolume],
  },
  {
    name: 'a selector',
    claims: [claim('c', { spec: { selector: { matchLabels: { disk: 'ssd' } } } })],
    volumes: [volume('a'), volume('b', { metadata: { labels: { disk: 'ssd' } } })],
    wantClaims: { c: 'Bound b 5Gi' },
  },
  {
    name: 'a class without a StorageClass',
    claims: [claim('c', { spec: { storageClassName: 'manual' } })],
    volumes: [volume('a'), volume('b', { spec: { storageClassName: 'manual' } })],
    wantClaims: { c: 'Bound b 5Gi' },
  },
  {
    name: 'attributes of a volume',
    claims: [claim('c', { spec: { volumeAttributesClassName: 'gold' } })],
    volumes: [
      volume('a'),
      volume('b', { spec: { volumeAttributesClassName: 'gold', hostPath: undefined, csi: { driver: 'd.example.com', volumeHandle: 'b' } } }),
    ],
    wantClaims: { c: 'Bound b 5Gi' },
  },
  {
    name: 'a class that is not there',
    claims: [claim('c', { spec: { storageClassName: 'manual' } })],
    wantClaims: { c: 'Pending' },
    events: ['Warning ProvisioningFailed storageclass.storage.k8s.io "manual" not found'],
  },
  {
    name: 'a volume that is kept for the claim, before a smaller one',
    claims: [claim('c')],
    volumes: [volume('kept', { spec: ref('c', '') }), volume('small', { spec: { capacity: { storage: '1Gi' } } })],
    wantClaims: { c: 'Bound kept 5Gi' },
    wantVolumes: { kept: 'Bound ns/c', small: 'Available' },
  },
  {
    name: 'a volume that is kept for another',
    claims: [claim('c')],
    volumes: [volume('kept', { spec: ref('d', '') })],
    wantClaims: { c: 'Pending' },
    wantVolumes: { kept: 'Available ns/d' },
    events: [noVolume],
  },
  {
    name: 'a volume that is named',
    claims: [claim('c', { spec: { volumeName: 'b' } })],
    volumes: [volume('a'), volume('b')],
    wantClaims: { c: 'Bound b 5Gi' },
  },
  { name: 'a named volume that is not there', claims: [claim('c', { spec: { volumeName: 'b' } })], wantClaims: { c: 'Pending b' } },
  ...(
    [
      ['too small', { capacity: { storage: '1Mi' } }, 'requested PV is too small'],
      ['of another class', { storageClassName: 'x' }, 'storageClassName does not match'],
      ['of another mode', { volumeMode: 'Block' }, 'incompatible volumeMode'],
      ['of other access', { accessModes: ['ReadOnlyMany'] }, 'incompatible accessMode'],
      ['with attributes', { volumeAttributesClassName: 'gold' }, 'volumeAttributesClassName does not match'],
    ] as const
  ).map(([what, spec, why]) => ({
    name: `a named volume that is ${what}`,
    claims: [claim('c', { spec: { volumeName: 'v' } })],
    volumes: [volume('v', { spec })],
    wantClaims: { c: 'Pending v' },
    events: [`Warning VolumeMismatch Cannot bind to requested volume "v": ${why}`],
  })),
  {
    name: 'a named volume that is another claim’s',
    claims: [claim('c', { spec: { volumeName: 'v' } })],
    volumes: [volume('v', { spec: ref('d', '') })],
    wantClaims: { c: 'Pending v' },
    events: ['Warning FailedBinding volume "v" already bound to a different claim.'],
  },
  {
    name: 'a claim that waits for a pod',
    classes: [storageClass('late', { volumeBindingMode: 'WaitForFirstConsumer' })],
    claims: [claim('c', { spec: { storageClassName: 'late' } })],
    volumes: [volume('v', { spec: { storageClassName: 'late' } })],
    wantClaims: { c: 'Pending' },
    events: ['Normal WaitForFirstConsumer waiting for first consumer to be created before binding'],
  },
  {
    name: 'a claim whose pods wait for a node',
    classes: [storageClass('late', { volumeBindingMode: 'WaitForFirstConsumer' })],
    claims: [claim('c', { spec: { storageClassName: 'late' } })],
    pods: ['p', 'q'].map((name) => ({
      metadata: { namespace: 'ns', name },
      spec: { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'c' } }] },
    })),
    wantClaims: { c: 'Pending' },
    events: ['Normal WaitForPodScheduled waiting for pods p,q to be scheduled'],
  },
  {
    name: 'a claim whose node was chosen',
    classes: [storageClass('late', { volumeBindingMode: 'WaitForFirstConsumer' })],
    claims: [claim('c', { metadata: { annotations: { 'volume.kubernetes.io/selected-node': 'n' } }, spec: { storageClassName: 'late' } })],
    wantClaims: { c: 'Pending' },
    events: [waiting],
  },
  {
    name: 'a class with a provisioner',
    classes: [storageClass('fast')],
    claims: [claim('c', { spec: { storageClassName: 'fast' } })],
    wantClaims: { c: 'Pending' },
    events: [waiting],
  },
  {
    name: 'a class without a provisioner',
    classes: [storageClass('local', { provisioner: 'kubernetes.io/no-provisioner' })],
    claims: [claim('c', { spec: { storageClassName: 'local' } })],
    wantClaims: { c: 'Pending' },
    events: ['Warning ProvisioningFailed no volume plugin matched name: kubernetes.io/no-provisioner'],
  },
  {
    name: 'a default class that came late',
    classes: [storageClass('std', { metadata: { name: 'std', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } } })],
    claims: [claim('c', { spec: { storageClassName: undefined } })],
    wantClaims: { c: 'Pending' },
    events: [waiting],
  },
  { name: 'a bound pair', claims: [boundClaim], volumes: [boundVolume()], wantClaims: { c: 'Bound v 5Gi' }, wantVolumes: { v: 'Bound ns/c' } },
  {
    name: 'a volume that has gone',
    claims: [boundClaim],
    wantClaims: { c: 'Lost v' },
    events: ['Warning ClaimLost Bound claim has lost its PersistentVolume. Data on the volume is lost!'],
  },
  {
    name: 'a volume name that has gone',
    claims: [claim('c', { metadata: completed, status: { phase: 'Bound' } })],
    wantClaims: { c: 'Lost' },
    events: ['Warning ClaimLost Bound claim has lost reference to PersistentVolume. Data on the volume is lost!'],
  },
  {
    name: 'a volume that is another claim’s by now',
    claims: [boundClaim],
    volumes: [boundVolume(ref('d'))],
    wantClaims: { c: 'Lost v' },
    events: ['Warning ClaimMisbound Two claims are bound to the same volume, this one is bound incorrectly'],
  },
  { name: 'released and retained', volumes: [boundVolume()], wantVolumes: { v: 'Released ns/c' } },
  { name: 'released and deleted', volumes: [boundVolume({ persistentVolumeReclaimPolicy: 'Delete' })], wantVolumes: {} },
  {
    name: 'released, and no path that may be deleted',
    volumes: [boundVolume({ persistentVolumeReclaimPolicy: 'Delete', hostPath: { path: '/data' } })],
    wantVolumes: { v: 'Failed ns/c' },
    events: ['Warning VolumeFailedDelete host_path deleter only supports /tmp/.+ but received provided /data'],
  },
  {
    name: 'released, and nobody can delete it',
    volumes: [boundVolume({ persistentVolumeReclaimPolicy: 'Delete', hostPath: undefined, local: { path: '/data' } })],
    wantVolumes: { v: 'Failed ns/c' },
    events: ['Warning VolumeFailedDelete error getting deleter volume plugin for volume "v": no volume plugin matched'],
  },
  {
    name: 'released, and deleted by somebody outside',
    volumes: [boundVolume({ persistentVolumeReclaimPolicy: 'Delete' }, { annotations: { 'pv.kubernetes.io/provisioned-by': 'csi.example.com' } })],
    wantVolumes: { v: 'Released ns/c' },
  },
  {
    name: 'released, and not to be recycled',
    volumes: [boundVolume({ persistentVolumeReclaimPolicy: 'Recycle', hostPath: undefined, local: { path: '/data' } })],
    wantVolumes: { v: 'Failed ns/c' },
    events: ['Warning VolumeFailedRecycle No recycler plugin found for the volume!'],
  },
  {
    name: 'its claim has found another volume',
    claims: [claim('c', { metadata: completed, spec: { volumeName: 'w' }, status: { phase: 'Bound' } })],
    volumes: [boundVolume(), volume('w', { spec: ref('c'), status: { phase: 'Bound' } })],
    wantVolumes: { v: 'Available', w: 'Bound ns/c' },
  },
  {
    name: 'made for a claim that has found another',
    claims: [claim('c', { metadata: completed, spec: { volumeName: 'w' }, status: { phase: 'Bound' } })],
    volumes: [
      boundVolume({ persistentVolumeReclaimPolicy: 'Delete' }, { annotations: { 'pv.kubernetes.io/provisioned-by': 'csi.example.com' } }),
      volume('w', { spec: ref('c'), status: { phase: 'Bound' } }),
    ],
    wantVolumes: { v: 'Released ns/c', w: 'Bound ns/c' },
  },
  { name: 'a new volume', volumes: [volume('v', { status: { phase: 'Pending' } })], wantVolumes: { v: 'Available' } },
  {
    name: 'a claim of the same name and another uid',
    claims: [claim('c', { metadata: { uid: 'other' } })],
    volumes: [boundVolume()],
    wantClaims: { c: 'Pending' },
    wantVolumes: { v: 'Released ns/c' },
    events: [noVolume],
  },
];
