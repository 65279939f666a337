/** Pods with disks of clouds before the scheduler of release 1.13: what a node has attached, what it may have, and what is asked for. */
type Fields = { readonly [field: string]: unknown };

export interface DiskCase {
  readonly name: string;
  /** Feature gates, as `--feature-gates` has them. */
  readonly gates?: string;
  readonly nodes: readonly { readonly name: string; readonly allocatable?: Fields; readonly labels?: Fields }[];
  /** Volumes by the claim that they are bound to: the source of the volume; null for a claim that waits for a pod. */
  readonly claims?: { readonly [claim: string]: Fields | null };
  /** Volumes of pods that are on nodes. */
  readonly placed?: readonly { readonly node: string; readonly volumes: readonly Fields[] }[];
  readonly volumes: readonly Fields[];
  readonly limits?: Fields;
}

export interface DiskFact {
  readonly name: string;
  readonly node?: string;
  readonly message?: string;
}

const ebs = (...ids: readonly string[]): readonly Fields[] => ids.map((volumeID) => ({ awsElasticBlockStore: { volumeID } }));
const gce = (...ids: readonly string[]): readonly Fields[] => ids.map((pdName) => ({ gcePersistentDisk: { pdName } }));
const readers = (...ids: readonly string[]): readonly Fields[] => ids.map((pdName) => ({ gcePersistentDisk: { pdName, readOnly: true } }));
const azure = (...ids: readonly string[]): readonly Fields[] => ids.map((diskName) => ({ azureDisk: { diskName, diskURI: `https://${diskName}` } }));
const claimed = (...names: readonly string[]): readonly Fields[] => names.map((claimName) => ({ persistentVolumeClaim: { claimName } }));
const many = (count: number): readonly string[] => Array.from({ length: count }, (_, i) => `vol-${i}`);
const csi = (driver: string, volumeHandle: string): Fields => ({ csi: { driver, volumeHandle } });
const longDriver = 'a-driver-with-a-very-long-name.example.com';
const off = 'AttachVolumeLimit=false';
const instance = (type: string): Fields => ({ 'beta.kubernetes.io/instance-type': type });
const ebsLimit = (count: string): Fields => ({ 'attachable-volumes-aws-ebs': count });

export const diskCases: readonly DiskCase[] = [
  {
    name: 'a node that is full of EBS volumes is passed over',
    nodes: [
      { name: 'a', allocatable: ebsLimit('2') },
      { name: 'b', allocatable: ebsLimit('2') },
    ],
    placed: [{ node: 'a', volumes: ebs('vol-1', 'vol-2') }],
    volumes: ebs('vol-3'),
  },
  {
    name: 'one too many',
    nodes: [{ name: 'a', allocatable: ebsLimit('2') }],
    placed: [{ node: 'a', volumes: ebs('vol-1', 'vol-2') }],
    volumes: ebs('vol-3'),
  },
  { name: 'a limit of none', nodes: [{ name: 'a', allocatable: ebsLimit('0') }], volumes: ebs('vol-3') },
  {
    name: 'other disks do not count',
    nodes: [{ name: 'a', allocatable: ebsLimit('1') }],
    placed: [{ node: 'a', volumes: gce('d') }],
    volumes: ebs('vol-3'),
  },
  {
    name: 'a volume that is there counts once, by its claim too',
    nodes: [{ name: 'a', allocatable: ebsLimit('1') }],
    claims: { c: { awsElasticBlockStore: { volumeID: 'vol-1' } }, d: { awsElasticBlockStore: { volumeID: 'vol-1' } } },
    placed: [{ node: 'a', volumes: claimed('c') }],
    volumes: claimed('d'),
  },
  {
    name: 'volumes of claims count',
    nodes: [{ name: 'a', allocatable: ebsLimit('1') }],
    claims: { c: { awsElasticBlockStore: { volumeID: 'vol-1' } }, d: { awsElasticBlockStore: { volumeID: 'vol-2' } } },
    placed: [{ node: 'a', volumes: claimed('c') }],
    volumes: claimed('d'),
  },
  {
    name: 'claims of other disks do not',
    nodes: [{ name: 'a', allocatable: ebsLimit('0') }],
    claims: { c: { gcePersistentDisk: { pdName: 'd' } } },
    volumes: claimed('c'),
  },
  {
    name: 'one GCE disk too many',
    nodes: [{ name: 'a', allocatable: { 'attachable-volumes-gce-pd': '1' } }],
    placed: [{ node: 'a', volumes: gce('x') }],
    volumes: gce('y'),
  },
  {
    name: 'one Azure disk too many',
    nodes: [{ name: 'a', allocatable: { 'attachable-volumes-azure-disk': '1' } }],
    placed: [{ node: 'a', volumes: azure('x') }],
    volumes: azure('y'),
  },
  {
    name: 'limits of the allocatable are not heeded while the gate is off',
    gates: off,
    nodes: [{ name: 'a', allocatable: ebsLimit('0') }],
    volumes: ebs('vol-3'),
  },
  { name: '39 EBS volumes', nodes: [{ name: 'a' }], volumes: ebs(...many(39)) },
  { name: '40 EBS volumes', nodes: [{ name: 'a' }], volumes: ebs(...many(40)) },
  { name: '40 EBS volumes while the gate is off', gates: off, nodes: [{ name: 'a' }], volumes: ebs(...many(40)) },
  { name: '25 EBS volumes of a t3', nodes: [{ name: 'a', labels: instance('t3.large') }], volumes: ebs(...many(25)) },
  { name: '26 EBS volumes of an m5', nodes: [{ name: 'a', labels: instance('m5.large') }], volumes: ebs(...many(26)) },
  { name: '26 EBS volumes of an m4', nodes: [{ name: 'a', labels: instance('m4.large') }], volumes: ebs(...many(26)) },
  { name: '16 GCE disks', nodes: [{ name: 'a' }], volumes: gce(...many(16)) },
  { name: '17 GCE disks', nodes: [{ name: 'a' }], volumes: gce(...many(17)) },
  { name: '17 Azure disks', nodes: [{ name: 'a' }], volumes: azure(...many(17)) },
  {
    name: 'one volume of a driver too many',
    nodes: [{ name: 'a', allocatable: { 'attachable-volumes-csi-csi.example.com': '1' } }],
    claims: { c: csi('csi.example.com', 'one'), d: csi('csi.example.com', 'two') },
    placed: [{ node: 'a', volumes: claimed('c') }],
    volumes: claimed('d'),
  },
  {
    name: 'another driver has room',
    nodes: [{ name: 'a', allocatable: { 'attachable-volumes-csi-csi.example.com': '1' } }],
    claims: { c: csi('csi.example.com', 'one'), d: csi('other.example.com', 'two') },
    placed: [{ node: 'a', volumes: claimed('c') }],
    volumes: claimed('d'),
  },
  {
    name: 'nobody counts volumes of drivers while the gate is off',
    gates: off,
    nodes: [{ name: 'a', allocatable: { 'attachable-volumes-csi-csi.example.com': '1' } }],
    claims: { c: csi('csi.example.com', 'one'), d: csi('csi.example.com', 'two') },
    placed: [{ node: 'a', volumes: claimed('c') }],
    volumes: claimed('d'),
  },
  {
    name: 'a long name of a driver is cut',
    nodes: [{ name: 'a', allocatable: { 'attachable-volumes-csi-a-driver-with-a-very-lo9a98fbcbf1176eef': '0', 'attachable-volumes-csi-x': '0' } }],
    claims: { c: csi(longDriver, 'one') },
    volumes: claimed('c'),
  },
  {
    name: 'a claim that waits counts for every cloud',
    nodes: [{ name: 'a', allocatable: { 'attachable-volumes-azure-disk': '0' } }],
    claims: { c: null },
    volumes: claimed('c'),
  },
  { name: 'a disk that another writes', nodes: [{ name: 'a' }], placed: [{ node: 'a', volumes: gce('x') }], volumes: readers('x') },
  { name: 'a disk that others read', nodes: [{ name: 'a' }], placed: [{ node: 'a', volumes: readers('x') }], volumes: readers('x') },
  { name: 'an EBS volume of another', nodes: [{ name: 'a' }, { name: 'b' }], placed: [{ node: 'a', volumes: ebs('vol-1') }], volumes: ebs('vol-1') },
  {
    name: 'limits that fit make a node better with the gate',
    gates: 'ResourceLimitsPriorityFunction=true',
    nodes: [
      { name: 'a', allocatable: { cpu: '4', memory: '16Gi' } },
      { name: 'b', allocatable: { cpu: '4', memory: '17Gi' } },
    ],
    volumes: [],
    limits: { memory: '16500Mi' },
  },
];
