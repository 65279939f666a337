/** What users of volumes in pods are warned of. Mirrors the volumes of warningsForPodSpecAndMeta and warningsForOverlappingVirtualPaths of pkg/api/pod. */
import type { KeyToPath, PersistentVolumeClaimSpec, Volume, VolumeProjection } from '../../../api/core/v1/types.gen.ts';
import type { FieldPath } from '../../../apimachinery/field-errors.ts';
import { isWholeQuantity } from '../../../apimachinery/quantity-text.ts';
import { goQuote } from '../../../apimachinery/quote.ts';
import { fieldAt } from '../../../base/plain.ts';
import type { WarningList } from './warning-list.ts';

const gone: readonly (readonly [source: keyof Volume, text: string, shown?: string])[] = [
  ['photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['gitRepo', 'deprecated in v1.11, and disabled by default in v1.33+'],
  ['scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['flocker', 'deprecated in v1.22, non-functional in v1.25+'],
  ['storageos', 'deprecated in v1.22, non-functional in v1.25+', 'storageOS'],
  ['quobyte', 'deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  ['ephemeral', ''],
  ['cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  ['rbd', 'deprecated in v1.28, non-functional in v1.31+'],
];

export function warnOfVolumes(volumes: readonly Volume[], path: FieldPath, out: WarningList): void {
  for (const [index, volume] of volumes.entries()) {
    for (const [source, text, shown] of gone) {
      if (!volume[source]) continue;
      const at = path.index(index).child(shown ?? source);
      const claim = volume.ephemeral?.volumeClaimTemplate;
      if (source !== 'ephemeral') out.add(`${at.toString()}: ${text}`);
      else if (claim) warnOfClaim(claim.spec ?? {}, at.child('volumeClaimTemplate').child('spec'), out);
    }
  }
  for (const volume of volumes) warnOfPaths(volume, out);
}

export function warnOfClaim({ resources }: PersistentVolumeClaimSpec, path: FieldPath, out: WarningList): void {
  for (const list of ['requests', 'limits'] as const) warnOfFraction(resources?.[list], 'storage', path.child('resources').child(list), out);
}

/** Bytes are whole. */
export function warnOfFraction(list: { readonly [name: string]: string } | undefined, name: string, path: FieldPath, out: WarningList): void {
  const text = list === undefined ? undefined : fieldAt(list, name);
  if (text === undefined || /^[0-9]{1,15}$/.test(text) || isWholeQuantity(text)) return;
  out.add(`${path.key(name).toString()}: fractional byte value ${goQuote(text)} is invalid, must be an integer`);
}

interface File {
  readonly path: string;
  readonly source: string;
}

/** Beyond these nobody looks whether paths of one volume overlap: each is compared with all before it. */
const mostFiles = 256;

function warnOfPaths({ name, configMap, secret, downwardAPI, projected }: Volume, out: WarningList): void {
  const told = (what: string, files: readonly File[]): void => {
    for (const text of overlapsOf(files)) out.add(`volume ${goQuote(name)} (${what}): overlapping paths: ${text}`);
  };
  if (configMap?.items) told(`ConfigMap ${goQuote(configMap.name ?? '')}`, filesOf(configMap.items, ''));
  if (secret?.items) told(`Secret ${goQuote(secret.secretName ?? '')}`, filesOf(secret.items, ''));
  if (downwardAPI?.items) told('DownwardAPI', filesOf(downwardAPI.items, ''));
  if (!projected) return;
  const files: File[] = [];
  for (const source of projected.sources ?? []) {
    if (Object.values(source).every((part) => part === undefined || part === null))
      out.add(`volume ${goQuote(name)} (Projected) has no sources provided`);
    else files.push(...filesOfProjection(source));
  }
  told('Projected', files);
}

function filesOf(items: readonly Pick<KeyToPath, 'path'>[], source: string): readonly File[] {
  return items.map(({ path = '' }) => ({ path, source }));
}

/** The first sort of source that names files. */
function filesOfProjection(source: VolumeProjection): readonly File[] {
  const { configMap, secret, downwardAPI, serviceAccountToken: token, clusterTrustBundle: bundle, podCertificate: certificate } = source;
  if (configMap?.items) return filesOf(configMap.items, `ConfigMap ${goQuote(configMap.name ?? '')}`);
  if (secret?.items) return filesOf(secret.items, `Secret ${goQuote(secret.name ?? '')}`);
  if (downwardAPI?.items) return filesOf(downwardAPI.items, 'DownwardAPI');
  if (token) return filesOf([token], 'ServiceAccountToken');
  if (bundle) return filesOf([bundle], `ClusterTrustBundle ${goQuote(bundle.name ?? bundle.signerName ?? '')}`);
  const { certificateChainPath = '', keyPath = '', credentialBundlePath = '' } = certificate ?? {};
  return [
    { path: certificateChainPath, source: 'PodCertificate chain' },
    { path: keyPath, source: 'PodCertificate key' },
    { path: credentialBundlePath, source: 'PodCertificate credential bundle' },
  ].filter(({ path }) => path !== '');
}

function overlapsOf(given: readonly File[]): readonly string[] {
  const files = given.slice(0, mostFiles).map(({ path, source }) => ({ path: path.replace(/\/+$/, ''), source }));
  return files.flatMap(
    (file, index) =>
    files.slice(0, index).filter((other) => isWithin(file.path, other.path) || isWithin(other.path, file.path)).map((other) => `${shown(file)} with ${shown(other)}`), // biome-ignore format: one line
  );
}

function isWithin(path: string, folder: string): boolean {
  return path !== '' && folder !== '' && (path === folder || path.startsWith(`${folder}/`));
}

function shown({ path, source }: File): string {
  return source === '' ? goQuote(path) : `${goQuote(path)} (${source})`;
}
