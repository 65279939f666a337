/** `export=true` on a read: the object without what a user cannot specify. Mirrors Export of generic/registry/store.go, gone since release 1.21. */
import type { CustomResourceDefinition } from '../api/apiextensions/v1/types.gen.ts';
import type { APIService } from '../api/apiregistration/v1/types.gen.ts';
import type { Service } from '../api/core/v1/types.gen.ts';
import { getOwn } from '../base/dictionary.ts';
import { newInvalid } from '../apimachinery/errors.ts';
import { invalid, root } from '../apimachinery/field-errors.ts';
import { localCondition } from '../component-helpers/local-api-service.ts';
import type { KubeObject, ObjectMeta } from '../apimachinery/object.ts';
import type { KindDefinition } from '../contracts/kind.ts';
import type { ApiResult } from '../contracts/request.ts';

const warning = 'the export parameter is deprecated since v1.14 and no longer supported since v1.21';
const system: readonly (keyof ObjectMeta)[] = [
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'selfLink',
  'managedFields',
];

export interface ExportOptions {
  /** Keeps what belongs to this cluster: the namespace, and a name that was generated. */
  readonly exact: boolean;
  /** Where it was read; absent where objects do not say. */
  readonly path?: string;
  /** Of what is true from now on. */
  readonly nowText: string;
}

interface Exported extends KubeObject {
  readonly spec?: unknown;
  readonly status?: { readonly qosClass?: string };
}

/** Throws where an object is worth nothing elsewhere. */
export function exported(result: ApiResult, kind: KindDefinition, options: ExportOptions): ApiResult {
  const { exact, path } = options;
  const object = result.object as Exported;
  const metadata: { -readonly [K in keyof ObjectMeta]: ObjectMeta[K] } = { ...object.metadata };
  for (const name of system) delete metadata[name];
  if (!exact) delete metadata.namespace;
  if (!exact && metadata.generateName) delete metadata.name;
  if (object.metadata.generation !== undefined) metadata.generation = 1;
  if (path !== undefined) metadata.selfLink = path;
  const bare = { ...withNewStatus(object, kind, options), metadata };
  const own = exact ? undefined : getOwn(ownRules, resourceOf(kind));
  return { ...result, object: own === undefined ? bare : own(bare), warnings: [...result.warnings, warning] };
}

function resourceOf({ group, plural }: KindDefinition): string {
  return group === '' ? plural : `${plural}.${group}`;
}

/** As it is when an object of the kind is created. */
const newStatus: { readonly [resource: string]: (status: Exported['status'], spec: unknown, nowText: string) => object } = {
  'apiservices.apiregistration.k8s.io': (_status, spec, nowText) =>
    (spec as APIService['spec'])?.service ? {} : { conditions: [localCondition(nowText)] },
  'customresourcedefinitions.apiextensions.k8s.io': (_status, spec) => ({
    storedVersions: storedVersionsOf(spec as CustomResourceDefinition['spec']),
  }),
  namespaces: () => ({ phase: 'Active' }),
  pods: (status) => ({ phase: 'Pending', ...(status?.qosClass !== undefined && { qosClass: status.qosClass }) }),
};

function storedVersionsOf({ versions = [] }: Partial<CustomResourceDefinition['spec']> = {}): readonly string[] {
  return (versions ?? []).filter(({ storage }) => storage).map(({ name }) => name);
}

function withNewStatus(object: Exported, kind: KindDefinition, { exact, nowText }: ExportOptions): Exported {
  const { status, ...rest } = object;
  const { statusSubresource } = kind;
  if (status === undefined || statusSubresource === undefined || statusSubresource === false) return object;
  // Nodes may be created with a status.
  if (exact && resourceOf(kind) === 'nodes') return object;
  const fresh = getOwn(newStatus, resourceOf(kind))?.(status, object.spec, nowText);
  return fresh === undefined ? rest : { ...rest, status: fresh };
}

/** What of an object belongs to this cluster, by resource. */
const ownRules: { readonly [resource: string]: (object: Exported) => Exported } = {
  secrets: (object) => {
    const { type } = object as { readonly type?: string };
    if (type !== 'kubernetes.io/service-account-token' && !object.metadata.annotations?.['kubernetes.io/service-account.uid']) return object;
    const why = 'can not export service account secrets';
    const { kind: _kind, apiVersion: _version, metadata, ...rest } = object;
    const { selfLink: _link, ...meta } = metadata;
    // All of it is the value that is wrong.
    throw newInvalid({ group: '', kind: 'Secret' }, metadata.name ?? '', [invalid(root('type'), { metadata: meta, ...rest }, why)]);
  },
  services: (object) => {
    const { spec } = object as unknown as Service;
    if (spec === undefined) return object;
    const { clusterIP, clusterIPs, ...rest } = spec;
    const ports = (rest.ports ?? []).map(({ nodePort, ...port }) =>
      rest.type === 'NodePort' || nodePort === undefined ? port : { ...port, nodePort },
    );
    const addresses = clusterIP === 'None' ? { clusterIP, ...(clusterIPs && { clusterIPs }) } : {};
    return { ...object, spec: { ...rest, ...addresses, ...(rest.ports && { ports }) } } as Exported;
  },
};
