/**
 * What a reserved pod does for its volumes: names volumes and nodes in the API, then waits until the controllers have made it so
 * (BindPodVolumes and checkBindings of framework/plugins/volumebinding/binder.go).
 */
import type { Node, PersistentVolume, PersistentVolumeClaim, Pod } from '../../../api/core/v1/types.gen.ts';
import type { KubeObject } from '../../../apimachinery/object.ts';
import type { JsonValue } from '../../../base/json.ts';
import { getOwn } from '../../../base/dictionary.ts';
import { isReachableFrom, selectedNode } from '../../../component-helpers/storage.ts';
import type { Bindable } from '../../framework/plugin.ts';
import type { Volumes } from '../../framework/volumes.ts';
import { isFullyBound, type PodVolumes } from './pod-volumes.ts';

interface Awaited {
  readonly namespace: string;
  readonly claim: string;
  /** Empty for a claim for which a volume is made. */
  readonly volume: string;
  /** Of the volume, or of the claim, as it was written. */
  readonly revision: number;
}

/** Writes what was reserved. What is not written when one fails is taken back by `unreserve`. */
export async function bindPodVolumes(
  volumes: Volumes,
  pod: Pod,
  { statics, provisions }: Pick<PodVolumes, 'statics' | 'provisions'>,
): Promise<readonly Awaited[]> {
  const awaited: Awaited[] = [];
  for (const { volume, claim } of statics) {
    const written = await volumes.updateVolume(volume, pod);
    awaited.push({ ...nameOf(claim), volume: volume.metadata.name ?? '', revision: revisionOf(written) });
  }
  for (const claim of provisions) {
    const written = await volumes.updateClaim(claim, pod);
    awaited.push({ ...nameOf(claim), volume: '', revision: revisionOf(written) });
  }
  return awaited;
}

/** Whether everything has come about; else what is wrong, or that it is not yet time. */
export function checkBindings(volumes: Volumes, node: Node, waitsFor: JsonValue): Bindable {
  for (const one of waitsFor as unknown as readonly Awaited[]) {
    const found = one.volume === '' ? checkProvision(volumes, node, one) : checkStatic(volumes, node, one);
    if (found.state !== 'ready') return found;
  }
  return { state: 'ready' };
}

function checkStatic(volumes: Volumes, node: Node, { namespace, claim: claimName, volume: name, revision }: Awaited): Bindable {
  const volume = volumes.knownVolume(name);
  if (volume === undefined) return failed(`failed to check binding: could not find v1.PersistentVolume "${name}"`);
  const claim = volumes.knownClaim(namespace, claimName);
  if (claim === undefined) return failed(`failed to check binding: could not find v1.PersistentVolumeClaim "${namespace}/${claimName}"`);
  if (revisionOf(volume) < revision) return { state: 'waiting' };
  const conflict = affinityFault(volume, node);
  if (conflict !== undefined) return failed(conflict);
  if (!volume.spec?.claimRef?.uid) return failed(`ClaimRef got reset for pv "${name}"`);
  return { state: isFullyBound(claim) ? 'ready' : 'waiting' };
}

function checkProvision(volumes: Volumes, node: Node, { namespace, claim: claimName, revision }: Awaited): Bindable {
  const claim = volumes.knownClaim(namespace, claimName);
  if (claim === undefined) return failed(`failed to check provisioning pvc: could not find v1.PersistentVolumeClaim "${namespace}/${claimName}"`);
  if (revisionOf(claim) < revision) return { state: 'waiting' };
  if (claim.metadata.annotations === undefined) return failed(`selectedNode annotation reset for PVC "${claimName}"`);
  if (getOwn(claim.metadata.annotations, selectedNode) !== node.metadata.name) return failed(`provisioning failed for PVC "${claimName}"`);
  const volumeName = claim.spec?.volumeName ?? '';
  if (volumeName !== '') {
    const volume = volumes.knownVolume(volumeName);
    if (volume === undefined) return { state: 'waiting' };
    const conflict = affinityFault(volume, node);
    if (conflict !== undefined) return failed(conflict);
  }
  return { state: isFullyBound(claim) ? 'ready' : 'waiting' };
}

function affinityFault(volume: PersistentVolume, node: Node): string | undefined {
  if (isReachableFrom(volume, node)) return undefined;
  return `pv "${volume.metadata.name ?? ''}" node affinity doesn't match node "${node.metadata.name ?? ''}": no matching NodeSelectorTerms`;
}

function failed(error: string): Bindable {
  return { state: 'failed', error: `binding volumes: ${error}` };
}

function nameOf({ metadata }: PersistentVolumeClaim): { readonly namespace: string; readonly claim: string } {
  return { namespace: metadata.namespace ?? '', claim: metadata.name ?? '' };
}

function revisionOf({ metadata }: KubeObject): number {
  return Number(metadata.resourceVersion);
}
