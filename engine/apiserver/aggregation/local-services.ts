/**
 * APIServices of what is served here, computed when they are read: upstream's server registers each group and version that it has built
 * in, and those of definitions. Mirrors kube-aggregator pkg/controllers/autoregister and the priorities of cmd/kube-apiserver.
 */
import type { APIService } from '../../api/apiregistration/v1/types.gen.ts';
import { getOwn } from '../../base/dictionary.ts';
import { formatGroupVersion, type KubeObject } from '../../apimachinery/object.ts';
import { byKubeVersion } from '../../apimachinery/kube-version.ts';
import { apiServiceKind, localCondition } from '../../kinds/apiregistration/v1/api-service.ts';
import { apiServiceKind as formerKind } from '../../kinds/apiregistration/v1beta1/api-service.ts';
import type { ComputedResource } from '../../contracts/computed-resource.ts';
import { isCustom, type KindDefinition } from '../../contracts/kind.ts';
import { groupPriority } from '../group-priorities.ts';
import type { RestStorages } from '../storage/rest-storages.ts';

const managed = 'kube-aggregator.kubernetes.io/automanaged';
/** Of definitions. */
const customPriorities = { groupPriorityMinimum: 1000, versionPriority: 100 };
/** Of single versions; upstream's table. */
const versionPriorities: { readonly [name: string]: number } = {
  'v1.': 1,
  'v2.autoscaling': 30,
  'v1.flowcontrol.apiserver.k8s.io': 21,
  'v1.resource.k8s.io': 21,
};
const stableVersion = 15;
/** They are as old as the cluster, and never written. */
const firstRevision = '1';

export interface LocalServicesOptions {
  readonly storages: () => RestStorages;
  /** Whether the release has a kind. */
  isServed(kind: KindDefinition): boolean;
  /** SHA-256 as hex; the uids of such objects are made of their names. */
  hash(text: string): string;
  /** When the cluster began. */
  readonly startText: string;
}

/** Beside those that are stored, in each version that is served. */
export function localServicesResources(options: LocalServicesOptions): readonly ComputedResource[] {
  return [apiServiceKind, formerKind].flatMap((form) => {
    const kind = form as unknown as KindDefinition;
    const list = (): readonly KubeObject[] => localServices(options).map((object) => ({ ...object, apiVersion: formatGroupVersion(kind) }));
    return options.isServed(kind) ? [{ kind, joins: true, list, get: (name) => list().find(({ metadata }) => metadata.name === name) }] : [];
  });
}

/** Of every group and version but the server's own list of servers. */
function localServices({ storages, hash, startText }: LocalServicesOptions): readonly KubeObject[] {
  const kinds = new Map<string, KindDefinition>();
  for (const [{ kind }] of storages().list()) {
    if (kind.visibility !== undefined || kind.group === 'apiregistration.k8s.io') continue;
    kinds.set(`${kind.version}.${kind.group}`, kind);
  }
  return [...kinds].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, kind]) => localService(name, kind, hash(`apiservice/${name}`), startText));
}

function localService(name: string, kind: KindDefinition, hex: string, startText: string): KubeObject {
  const { group, version } = kind;
  const uid = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  const priorities = isCustom(kind)
    ? customPriorities
    : { groupPriorityMinimum: groupPriority(group), versionPriority: versionPriority(name, version) };
  const object: APIService = {
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: {
      name,
      uid,
      resourceVersion: firstRevision,
      creationTimestamp: startText,
      labels: { [managed]: isCustom(kind) ? 'true' : 'onstart' },
      managedFields: [
        {
          manager: 'kube-apiserver',
          operation: 'Update',
          apiVersion: 'apiregistration.k8s.io/v1',
          time: startText,
          fieldsType: 'FieldsV1',
          fieldsV1: {
            'f:metadata': { 'f:labels': { '.': {}, [`f:${managed}`]: {} } },
            'f:spec': { ...(group === '' ? {} : { 'f:group': {} }), 'f:groupPriorityMinimum': {}, 'f:version': {}, 'f:versionPriority': {} },
          },
        },
      ],
    },
    spec: { ...(group === '' ? {} : { group }), version, ...priorities },
    status: { conditions: [localCondition(startText)] },
  };
  return object as KubeObject;
}

/** Versions that are not stable yet come behind those that are, in their order. */
function versionPriority(name: string, version: string): number {
  const known = getOwn(versionPriorities, name);
  if (known !== undefined) return known;
  if (byKubeVersion(version, 'v1') <= 0) return stableVersion;
  return version.includes('beta') ? 9 : 1;
}
