/** What users of services, volumes and nodes are warned of. Mirrors pkg/api/service/warnings.go, pkg/api/persistentvolume and the strategy of nodes. */
import type { Node, PersistentVolume, Service } from '../../../api/core/v1/types.gen.ts';
import { root } from '../../../apimachinery/field-errors.ts';
import { warningsForCIDR, warningsForIP } from '../../../apimachinery/ip.ts';
import { specPath } from '../../shared/strategy.ts';

const hintsAnnotation = 'service.kubernetes.io/topology-aware-hints';

export function serviceWarnings({ metadata, spec = {} }: Service): readonly string[] {
  const { type, clusterIP, loadBalancerIP = '', externalName = '', sessionAffinity = 'None', trafficDistribution } = spec;
  const isHeadless = type === 'ClusterIP' && clusterIP === 'None';
  const isExternal = type === 'ExternalName';
  const [ips, externalIPs, ranges] = [spec.clusterIPs ?? [], spec.externalIPs ?? [], spec.loadBalancerSourceRanges ?? []];
  const hasIPs = externalIPs.length > 0;
  return [
    ...told([
      [
        metadata.annotations?.[hintsAnnotation] !== undefined,
        `annotation ${hintsAnnotation} is deprecated, please use service.kubernetes.io/topology-mode instead`,
      ],
    ]),
    ...(clusterIP === 'None' ? [] : ips.flatMap((ip, i) => warningsForIP(specPath.child('clusterIPs').index(i), ip))),
    ...told([
      [isHeadless && loadBalancerIP !== '', 'spec.loadBalancerIP is ignored for headless services'],
      [isHeadless && hasIPs, 'spec.externalIPs is ignored for headless services'],
      [isHeadless && sessionAffinity !== 'None', 'spec.SessionAffinity is ignored for headless services'],
    ]),
    ...externalIPs.flatMap((ip, i) => warningsForIP(specPath.child('externalIPs').index(i), ip)),
    ...told([[hasIPs && !isHeadless && !isExternal, 'spec.externalIPs is deprecated and may no longer be implemented in some clusters']]),
    ...warningsForIP(specPath.child('loadBalancerIP'), loadBalancerIP),
    ...ranges.flatMap((range, i) => warningsForCIDR(specPath.child('loadBalancerSourceRanges').index(i), range)),
    ...told([
      [isExternal && hasIPs, 'spec.externalIPs is ignored when spec.type is "ExternalName"'],
      [!isExternal && externalName !== '', 'spec.externalName is ignored when spec.type is not "ExternalName"'],
      [trafficDistribution === 'PreferClose', 'spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"'],
    ]),
  ];
}

/** Of a write of the status. */
export function balancerWarnings({ status }: Service): readonly string[] {
  return (status?.loadBalancer?.ingress ?? []).flatMap(({ ip }, i) =>
    ip ? warningsForIP(root('status', 'loadBalancer', 'ingress').index(i), ip) : [],
  );
}

const gone: readonly (readonly [
  source: 'cephfs' | 'photonPersistentDisk' | 'scaleIO' | 'storageos' | 'glusterfs' | 'rbd',
  shown: string,
  since: string,
])[] = [
  ['cephfs', 'cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  ['photonPersistentDisk', 'photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['scaleIO', 'scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['storageos', 'storageOS', 'deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  ['rbd', 'rbd', 'deprecated in v1.28, non-functional in v1.31+'],
];

/** Old labels in its node affinity are not told of. */
export function volumeWarnings({ metadata, spec = {} }: PersistentVolume): readonly string[] {
  const [classKey, optionsKey] = ['volume.beta.kubernetes.io/storage-class', 'volume.beta.kubernetes.io/mount-options'];
  const recycled = 'The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.';
  return told([
    [
      metadata.annotations?.[classKey] !== undefined,
      `metadata.annotations[${classKey}]: deprecated since v1.8; use "storageClassName" attribute instead`,
    ],
    [
      metadata.annotations?.[optionsKey] !== undefined,
      `metadata.annotations[${optionsKey}]: deprecated since v1.31; use "mountOptions" attribute instead`,
    ],
    [spec.persistentVolumeReclaimPolicy === 'Recycle', `spec.persistentVolumeReclaimPolicy: ${recycled}`],
    ...gone.map(([source, shown, since]) => [spec[source] !== undefined, `spec.${shown}: ${since}`] as const),
  ]);
}

export function nodeWarnings({ spec = {} }: Node): readonly string[] {
  return told([
    [spec.configSource !== undefined, 'spec.configSource: the feature is removed'],
    [(spec.externalID ?? '') !== '', 'spec.externalID: this field is deprecated, and is unused by Kubernetes'],
  ]);
}

function told(all: readonly (readonly [isSo: boolean, text: string])[]): readonly string[] {
  return all.filter(([isSo]) => isSo).map(([, text]) => text);
}
