/** The checks of the level `restricted`. Mirrors pod-security-admission policy/check_*.go. */
import type { Volume } from '../../../api/core/v1/types.gen.ts';
import { checkProcMount } from './baseline.ts';
import { type Check, type CheckedPod, containersOf, distinct, type Finding, joinQuoted, named, namesOf, plural, setters } from './check.ts';
import { checkSeccomp } from './profiles.ts';

type CheckPod = (pod: CheckedPod) => Finding | undefined;

/** The check, from which some pods are spared. */
const sparing =
  (isSpared: (pod: CheckedPod) => boolean) =>
  (check: CheckPod): CheckPod =>
  (pod) =>
    isSpared(pod) ? undefined : check(pod);

/** A pod that says it is for Windows cannot say what these want. */
const unlessWindows = sparing(({ spec }) => spec.os?.name === 'windows');
/** In a user namespace root is nobody in particular. */
const unlessOwnUsers = sparing(({ spec }) => spec.hostUsers === false);

const requireSeccomp = (pod: CheckedPod): Finding | undefined => checkSeccomp(pod, 'required');

export const restrictedChecks: readonly Check[] = [
  {
    id: 'allowPrivilegeEscalation',
    revisions: [
      { since: 8, check: checkEscalation },
      { since: 25, check: unlessWindows(checkEscalation) },
    ],
  },
  {
    id: 'capabilities_restricted',
    revisions: [
      { since: 22, check: checkCapabilities, overrides: 'capabilities_baseline' },
      { since: 25, check: unlessWindows(checkCapabilities), overrides: 'capabilities_baseline' },
    ],
  },
  { id: 'procMount_restricted', revisions: [{ since: 35, check: checkProcMount, overrides: 'procMount' }] },
  { id: 'restrictedVolumes', revisions: [{ since: 0, check: checkVolumes, overrides: 'hostPathVolumes' }] },
  {
    id: 'runAsNonRoot',
    revisions: [
      { since: 0, check: checkNonRoot },
      { since: 35, check: unlessOwnUsers(checkNonRoot) },
    ],
  },
  {
    id: 'runAsUser',
    revisions: [
      { since: 23, check: checkUser },
      { since: 35, check: unlessOwnUsers(checkUser) },
    ],
  },
  {
    id: 'seccompProfile_restricted',
    revisions: [
      { since: 19, check: requireSeccomp, overrides: 'seccompProfile_baseline' },
      { since: 25, check: unlessWindows(requireSeccomp), overrides: 'seccompProfile_baseline' },
    ],
  },
];

function checkEscalation({ spec }: CheckedPod): Finding | undefined {
  const bad = containersOf(spec).filter(({ securityContext }) => securityContext?.allowPrivilegeEscalation !== false);
  if (bad.length === 0) return undefined;
  return {
    reason: 'allowPrivilegeEscalation != false',
    detail: `${named('container', namesOf(bad))} must set securityContext.allowPrivilegeEscalation=false`,
  };
}

function checkCapabilities({ spec }: CheckedPod): Finding | undefined {
  const isMore = (capability: string): boolean => capability !== 'NET_BIND_SERVICE';
  const holding = containersOf(spec).filter(({ securityContext }) => securityContext?.capabilities?.drop?.includes('ALL') !== true);
  const adding = containersOf(spec).filter(({ securityContext }) => securityContext?.capabilities?.add?.some(isMore));
  const added = distinct(adding.flatMap(({ securityContext }) => (securityContext?.capabilities?.add ?? []).filter(isMore)));
  const details = [
    ...(holding.length === 0 ? [] : [`${named('container', namesOf(holding))} must set securityContext.capabilities.drop=["ALL"]`]),
    ...(adding.length === 0
      ? []
      : [`${named('container', namesOf(adding))} must not include ${joinQuoted(added)} in securityContext.capabilities.add`]),
  ];
  return details.length === 0 ? undefined : { reason: 'unrestricted capabilities', detail: details.join('; ') };
}

const allowedVolumes = [
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'image',
  'persistentVolumeClaim',
  'projected',
  'secret',
] as const satisfies readonly (keyof Volume)[];

/** The first that a volume has names it. */
const restrictedVolumes = [
  'hostPath',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'gitRepo',
  'nfs',
  'iscsi',
  'glusterfs',
  'rbd',
  'flexVolume',
  'cinder',
  'cephfs',
  'flocker',
  'fc',
  'azureFile',
  'vsphereVolume',
  'quobyte',
  'azureDisk',
  'photonPersistentDisk',
  'portworxVolume',
  'scaleIO',
  'storageos',
] as const satisfies readonly (keyof Volume)[];

function checkVolumes({ spec }: CheckedPod): Finding | undefined {
  const bad = (spec.volumes ?? []).filter((volume) => !allowedVolumes.some((type) => volume[type] !== undefined));
  if (bad.length === 0) return undefined;
  const types = distinct(bad.map((volume) => restrictedVolumes.find((type) => volume[type] !== undefined) ?? 'unknown'));
  const names = bad.map(({ name }) => name ?? '');
  const uses = bad.length === 1 ? 'uses' : 'use';
  return {
    reason: 'restricted volume types',
    detail: `${named('volume', names)} ${uses} ${plural('restricted volume type', types)} ${joinQuoted(types)}`,
  };
}

function checkNonRoot({ spec }: CheckedPod): Finding | undefined {
  const reason = 'runAsNonRoot != true';
  const own = spec.securityContext?.runAsNonRoot;
  const bad = containersOf(spec).filter(({ securityContext }) => securityContext?.runAsNonRoot === false);
  const who = setters(own === false, bad);
  if (who !== '') return { reason, detail: `${who} must not set securityContext.runAsNonRoot=false` };
  const silent = own === true ? [] : containersOf(spec).filter(({ securityContext }) => securityContext?.runAsNonRoot === undefined);
  if (silent.length === 0) return undefined;
  return { reason, detail: `pod or ${setters(false, silent)} must set securityContext.runAsNonRoot=true` };
}

function checkUser({ spec }: CheckedPod): Finding | undefined {
  const isRoot = (user: unknown): boolean => user !== undefined && Number(user) === 0;
  const bad = containersOf(spec).filter(({ securityContext }) => isRoot(securityContext?.runAsUser));
  const who = setters(isRoot(spec.securityContext?.runAsUser), bad);
  return who === '' ? undefined : { reason: 'runAsUser=0', detail: `${who} must not set runAsUser=0` };
}
