/**
 * Which other objects a pod names: secrets, config maps, claims. Mirrors pkg/api/v1/pod/util.go (VisitPodSecretNames,
 * VisitPodConfigmapNames), pkg/api/v1/persistentvolume/util.go and HasAPIObjectReference of pkg/api/pod.
 */
import type { EnvFromSource, EnvVar, PersistentVolume, Pod, SecretReference, Volume } from '../api/core/v1/types.gen.ts';

interface Environment {
  readonly env?: readonly EnvVar[];
  readonly envFrom?: readonly EnvFromSource[];
}

export function podSecretNames(pod: Pod): readonly string[] {
  const { spec } = pod;
  const names = [
    ...(spec?.imagePullSecrets ?? []).map((reference) => reference.name),
    ...environmentsOf(pod).flatMap(({ env, envFrom }) => [
      ...(envFrom ?? []).map((source) => source.secretRef?.name),
      ...(env ?? []).map((variable) => variable.valueFrom?.secretKeyRef?.name),
    ]),
    ...(spec?.volumes ?? []).flatMap(volumeSecretNames),
  ];
  return present(names);
}

export function podConfigMapNames(pod: Pod): readonly string[] {
  const names = [
    ...environmentsOf(pod).flatMap(({ env, envFrom }) => [
      ...(envFrom ?? []).map((source) => source.configMapRef?.name),
      ...(env ?? []).map((variable) => variable.valueFrom?.configMapKeyRef?.name),
    ]),
    ...(pod.spec?.volumes ?? []).flatMap(({ configMap, projected }) => [
      configMap?.name,
      ...(projected?.sources ?? []).map((source) => source.configMap?.name),
    ]),
  ];
  return present(names);
}

/** Claims of volumes, those made for ephemeral volumes among them. */
export function podClaimNames(pod: Pod): readonly string[] {
  return present((pod.spec?.volumes ?? []).map((volume) => claimNameOf(pod, volume)));
}

export function claimNameOf(pod: Pod, { name, persistentVolumeClaim, ephemeral }: Volume): string | undefined {
  if (persistentVolumeClaim !== undefined) return persistentVolumeClaim.claimName;
  return ephemeral === undefined ? undefined : `${pod.metadata.name ?? ''}-${name}`;
}

/** Claims of devices, by name or as made from a template. */
export function podResourceClaimNames(pod: Pod): readonly string[] {
  const { spec, status } = pod;
  const made = (status?.resourceClaimStatuses ?? []).filter((entry) => (spec?.resourceClaims ?? []).some((claim) => claim.name === entry.name));
  return present([
    ...(spec?.resourceClaims ?? []).map((claim) => claim.resourceClaimName),
    ...made.map((entry) => entry.resourceClaimName),
    status?.extendedResourceClaimStatus?.resourceClaimName,
  ]);
}

/** The secrets that a kubelet needs to mount a volume. */
export function volumeSecrets({ spec }: PersistentVolume): readonly { readonly namespace: string; readonly name: string }[] {
  if (spec === undefined) return [];
  const own = spec.claimRef?.namespace ?? '';
  const at = (reference: SecretReference | undefined | null, fallback: string): { namespace: string; name: string }[] =>
    reference?.name === undefined || reference.name === '' ? [] : [{ namespace: reference.namespace || fallback, name: reference.name }];
  if (spec.azureFile !== undefined) return [{ namespace: spec.azureFile.secretNamespace || own, name: spec.azureFile.secretName }];
  if (spec.storageos?.secretRef !== undefined)
    return at({ name: spec.storageos.secretRef.name ?? '', namespace: spec.storageos.secretRef.namespace ?? '' }, own);
  return [
    ...at(spec.cephfs?.secretRef, own),
    ...at(spec.cinder?.secretRef, ''),
    ...at(spec.flexVolume?.secretRef, own),
    ...at(spec.rbd?.secretRef, own),
    ...at(spec.scaleIO?.secretRef, own),
    ...at(spec.iscsi?.secretRef, own),
    ...at(spec.csi?.nodePublishSecretRef, own),
    ...at(spec.csi?.nodeStageSecretRef, own),
    ...at(spec.csi?.nodeExpandSecretRef, own),
  ];
}

/** What a pod names that is read through the API, in upstream's words; undefined for a pod that needs nothing. */
export function apiReferenceOf(pod: Pod): string | undefined {
  const { spec } = pod;
  if (spec?.serviceAccountName) return 'serviceaccounts';
  if (podSecretNames(pod).length > 0) return 'secrets';
  if (podConfigMapNames(pod).length > 0) return 'configmaps';
  if ((spec?.resourceClaims ?? []).length > 0) return 'resourceclaims';
  for (const volume of spec?.volumes ?? []) {
    const reference = volumeReference(volume);
    if (reference !== undefined) return reference;
  }
  return undefined;
}

function volumeReference({ configMap, secret, csi, glusterfs, persistentVolumeClaim, ephemeral, azureFile, projected }: Volume): string | undefined {
  if (configMap !== undefined) return 'configmaps (via configmap volumes)';
  if (secret !== undefined) return 'secrets (via secret volumes)';
  if (csi !== undefined) return 'csidrivers (via CSI volumes)';
  if (glusterfs !== undefined) return 'endpoints (via glusterFS volumes)';
  if (persistentVolumeClaim !== undefined) return 'persistentvolumeclaims';
  if (ephemeral !== undefined) return 'persistentvolumeclaims (via ephemeral volumes)';
  if (azureFile !== undefined) return 'secrets (via azureFile volumes)';
  for (const source of projected?.sources ?? []) {
    if (source.configMap !== undefined) return 'configmaps (via projected volumes)';
    if (source.secret !== undefined) return 'secrets (via projected volumes)';
    if (source.serviceAccountToken !== undefined) return 'serviceaccounts (via projected volumes)';
    if (source.clusterTrustBundle !== undefined) return 'clustertrustbundles';
    if (source.podCertificate !== undefined) return 'podcertificates';
  }
  return undefined;
}

function environmentsOf({ spec }: Pod): readonly Environment[] {
  return [...(spec?.initContainers ?? []), ...(spec?.containers ?? []), ...(spec?.ephemeralContainers ?? [])];
}

function volumeSecretNames(volume: Volume): readonly (string | undefined)[] {
  return [
    volume.azureFile?.secretName,
    volume.cephfs?.secretRef?.name,
    volume.cinder?.secretRef?.name,
    volume.flexVolume?.secretRef?.name,
    ...(volume.projected?.sources ?? []).map((source) => source.secret?.name),
    volume.rbd?.secretRef?.name,
    volume.secret?.secretName,
    volume.scaleIO?.secretRef?.name,
    volume.iscsi?.secretRef?.name,
    volume.storageos?.secretRef?.name,
    volume.csi?.nodePublishSecretRef?.name,
  ];
}

function present(names: readonly (string | undefined)[]): readonly string[] {
  return names.filter((name): name is string => name !== undefined && name !== '');
}
