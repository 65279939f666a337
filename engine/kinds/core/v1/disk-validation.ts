/** Members of volume sources that pods and persistent volumes have in common. Mirrors the smaller validate…VolumeSource functions of pkg/apis/core/validation. */
import { getOwn } from '../../../base/dictionary.ts';
import type { Volume } from '../../../api/core/v1/types.gen.ts';
import { type FieldPath, invalid, notSupported, notSupportedOf, required, tooLong } from '../../../apimachinery/field-errors.ts';
import { inclusiveRangeError, isDNS1123Label, isDNS1123Subdomain } from '../../../apimachinery/validation.ts';
import type { Faults } from './resource-validation.ts';
import { noBacksteps } from './volume-paths.ts';

/** Members that must be there, in order. */
const needed: { readonly [source: string]: readonly string[] } = {
  gitRepo: ['repository'],
  gcePersistentDisk: ['pdName'],
  awsElasticBlockStore: ['volumeID'],
  secret: ['secretName'],
  nfs: ['server', 'path'],
  glusterfs: ['endpoints', 'path'],
  persistentVolumeClaim: ['claimName'],
  rbd: ['monitors', 'image'],
  cinder: ['volumeID'],
  cephfs: ['monitors'],
  flexVolume: ['driver'],
  configMap: ['name'],
  azureFile: ['secretName', 'shareName'],
  vsphereVolume: ['volumePath'],
  photonPersistentDisk: ['pdID'],
  portworxVolume: ['volumeID'],
  azureDisk: ['diskName', 'diskURI'],
  scaleIO: ['gateway', 'system', 'volumeName'],
};

export function requiredMembers(source: string, value: object, path: FieldPath, out: Faults): void {
  for (const member of getOwn(needed, source) ?? []) {
    const given = (value as { readonly [member: string]: unknown })[member];
    if (!given || (Array.isArray(given) && given.length === 0)) out.push(required(path.child(member)));
  }
}

export function oneName(name: string, path: FieldPath, out: Faults): void {
  for (const fault of isDNS1123Subdomain(name)) out.push(invalid(path, name, fault));
}

export function partition(number: number | undefined, path: FieldPath, out: Faults): void {
  if (number !== undefined && (number < 0 || number > 255)) out.push(invalid(path.child('partition'), number, inclusiveRangeError(1, 255)));
}

type Iscsi = NonNullable<Volume['iscsi']>;

const initiatorForms: readonly (readonly [prefix: string, form: RegExp])[] = [
  ['iqn', /iqn\.\d{4}-\d{2}\.([0-9A-Za-z\-.]+)(:[^,;*&$|\s]+)$/],
  ['eui', /^eui.[0-9A-Za-z]{16}$/],
  ['naa', /^naa.[0-9A-Za-z]{32}$/],
];

export function iscsi(source: Iscsi, path: FieldPath, out: Faults): void {
  const { targetPortal, iqn, lun = 0, initiatorName } = source;
  if (!targetPortal) out.push(required(path.child('targetPortal')));
  if (!iqn) out.push(required(path.child('iqn')));
  else initiator(iqn, path.child('iqn'), out);
  validateLun(lun, path, out);
  if ((source.chapAuthDiscovery === true || source.chapAuthSession === true) && !source.secretRef) out.push(required(path.child('secretRef')));
  if (initiatorName !== undefined) initiator(initiatorName, path.child('initiatorname'), out);
}

function initiator(name: string, path: FieldPath, out: Faults): void {
  const form = initiatorForms.find(([prefix]) => name.startsWith(prefix))?.[1];
  if (form === undefined) out.push(invalid(path, name, 'must be valid format starting with iqn, eui, or naa'));
  else if (!form.test(name)) out.push(invalid(path, name, 'must be valid format'));
}

function validateLun(lun: number, path: FieldPath, out: Faults): void {
  if (lun < 0 || lun > 255) out.push(invalid(path.child('lun'), lun, inclusiveRangeError(0, 255)));
}

export type Lun = NonNullable<Volume['fc']>;

export function fibreChannel({ targetWWNs = [], wwids = [], lun }: Lun, path: FieldPath, out: Faults): void {
  const at = path.child('targetWWNs');
  if (targetWWNs.length === 0 && wwids.length === 0) out.push(required(at, 'must specify either targetWWNs or wwids, but not both'));
  if (targetWWNs.length === 0) return;
  if (wwids.length > 0) out.push(invalid(at, targetWWNs, 'targetWWNs and wwids can not be specified simultaneously'));
  if (lun === undefined) out.push(required(path.child('lun'), 'lun is required if targetWWNs is specified'));
  else validateLun(lun, path, out);
}

export function flocker({ datasetName = '', datasetUUID = '' }: NonNullable<Volume['flocker']>, path: FieldPath, out: Faults): void {
  if (datasetName === '' && datasetUUID === '') out.push(required(path, 'one of datasetName and datasetUUID is required'));
  if (datasetName !== '' && datasetUUID !== '')
    out.push(invalid(path, 'resource', 'datasetName and datasetUUID can not be specified simultaneously'));
  if (datasetName.includes('/')) out.push(invalid(path.child('datasetName'), datasetName, "must not contain '/'"));
}

const pairs = 'must be a host:port pair or multiple pairs separated by commas';

export function quobyte({ registry = '', tenant = '', volume }: NonNullable<Volume['quobyte']>, path: FieldPath, out: Faults): void {
  if (registry === '') out.push(required(path.child('registry'), pairs));
  else if (tenant.length >= 65) out.push(required(path.child('tenant'), 'must be a UUID and may not exceed a length of 64 characters'));
  else for (const pair of registry.split(',')) if (!isHostAndPort(pair)) out.push(invalid(path.child('registry'), registry, pairs));
  if (!volume) out.push(required(path.child('volume')));
}

/** As Go's net.SplitHostPort takes it: a host with colons stands in brackets. */
function isHostAndPort(text: string): boolean {
  return /^(\[[^[\]]*\]|[^:[\]]*):[^:[\]]*$/.test(text);
}

export function flexOptions(options: { readonly [key: string]: string } | undefined, path: FieldPath, out: Faults): void {
  for (const key of Object.keys(options ?? {}).sort()) {
    const slash = key.indexOf('/');
    const space = `.${(slash < 0 ? key : key.slice(0, slash)).toLowerCase()}`;
    if (space.endsWith('.kubernetes.io') || space.endsWith('.k8s.io'))
      out.push(invalid(path.child('options').key(key), key, 'kubernetes.io and k8s.io namespaces are reserved'));
  }
}

export function secretName(ref: { readonly name?: string } | undefined, path: FieldPath, out: Faults): void {
  if (ref && !ref.name) out.push(required(path.child('secretRef', 'name')));
}

export function storageos({ volumeName, volumeNamespace, secretRef }: NonNullable<Volume['storageos']>, path: FieldPath, out: Faults): void {
  if (!volumeName) out.push(required(path.child('volumeName')));
  else for (const fault of isDNS1123Label(volumeName)) out.push(invalid(path.child('volumeName'), volumeName, fault));
  if (volumeNamespace) for (const fault of isDNS1123Label(volumeNamespace)) out.push(invalid(path.child('volumeNamespace'), volumeNamespace, fault));
  secretName(secretRef, path, out);
}

const longestDriver = 63;

export function driverName(name: string, path: FieldPath, out: Faults): void {
  if (name === '') return void out.push(required(path));
  if (name.length > longestDriver) out.push(tooLong(path, longestDriver));
  for (const fault of isDNS1123Subdomain(name.toLowerCase())) out.push(invalid(path, name, fault));
}

const hostPathTypes = ['', 'BlockDevice', 'CharDevice', 'Directory', 'DirectoryOrCreate', 'File', 'FileOrCreate', 'Socket'];

export function hostPathSource(source: NonNullable<Volume['hostPath']>, path: FieldPath, out: Faults): void {
  if (!source.path) return void out.push(required(path.child('path')));
  noBacksteps(source.path, path.child('path'), out);
  if (source.type !== undefined && !hostPathTypes.includes(source.type)) out.push(notSupported(path.child('type'), source.type, hostPathTypes));
}

const cachingModes = ['None', 'ReadOnly', 'ReadWrite'];
const diskKinds = ['Dedicated', 'Managed', 'Shared'];
const managedUri = '/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}';
const blobUri = 'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd';

export function azureDisk({ cachingMode, kind, diskURI: uri = '' }: NonNullable<Volume['azureDisk']>, path: FieldPath, out: Faults): void {
  if (cachingMode !== undefined && !cachingModes.includes(cachingMode)) out.push(notSupported(path.child('cachingMode'), cachingMode, cachingModes));
  if (kind === undefined) return;
  if (!diskKinds.includes(kind)) out.push(notSupported(path.child('kind'), kind, diskKinds));
  if (kind === 'Managed' && !uri.startsWith('/subscriptions/')) out.push(notSupportedOf(path.child('diskURI'), uri, [managedUri]));
  if (kind !== 'Managed' && !uri.startsWith('https://')) out.push(notSupportedOf(path.child('diskURI'), uri, [blobUri]));
}
