/**
 * Objects as the engine holds them: plain JSON-shaped values, immutable once they have entered the API pipeline (deep-frozen in
 * tests), shared by reference between the store, caches and components. Whoever wants a change builds a new object and may
 * share every unchanged subtree. Keys stand in schema order and map keys in byte order (`canonicalize`), so JSON text is canonical.
 */
import type { Int64 } from '../base/int64.ts';
import type { JsonObject } from '../base/json.ts';
import type { Initializers } from './initializers.ts';

export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

export interface ManagedFieldsEntry {
  readonly manager?: string;
  readonly operation?: 'Apply' | 'Update';
  readonly apiVersion?: string;
  readonly time?: string;
  readonly fieldsType?: string;
  readonly fieldsV1?: JsonObject;
  readonly subresource?: string;
}

/** Times are RFC 3339 text in UTC with second precision, as upstream writes them. */
export interface ObjectMeta {
  readonly name?: string;
  readonly generateName?: string;
  readonly namespace?: string;
  readonly selfLink?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: Int64;
  readonly labels?: { readonly [key: string]: string };
  readonly annotations?: { readonly [key: string]: string };
  readonly ownerReferences?: readonly OwnerReference[];
  readonly initializers?: Initializers;
  readonly finalizers?: readonly string[];
  /** Of release 1.13: kept in templates alone. */
  readonly clusterName?: string;
  readonly managedFields?: readonly ManagedFieldsEntry[];
}

export interface ListMeta {
  readonly selfLink?: string;
  readonly resourceVersion?: string;
  readonly continue?: string;
  readonly remainingItemCount?: number;
  readonly shardInfo?: { readonly selector: string };
}

/** Any API object. `spec` and `status` are left open here; the generated interfaces in `engine/api` type them per kind. */
export interface KubeObject {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: ObjectMeta;
}

export interface KubeList<T extends KubeObject = KubeObject> {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: ListMeta;
  readonly items: readonly T[];
}

export interface GroupVersion {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
}
export interface GroupVersionKind extends GroupVersion {
  readonly kind: string;
}
export interface GroupVersionResource extends GroupVersion {
  readonly resource: string;
}

/** `v1` or `apps/v1`. */
export function formatGroupVersion(gv: GroupVersion): string {
  return gv.group === '' ? gv.version : `${gv.group}/${gv.version}`;
}

/** `/v1` is of no group, as `v1` is, and a slash alone says nothing. Mirrors ParseGroupVersion of apimachinery pkg/runtime/schema. */
export function withoutEmptyGroup(apiVersion: string): string {
  return apiVersion.startsWith('/') && apiVersion.lastIndexOf('/') === 0 ? apiVersion.slice(1) : apiVersion;
}

/** Splits `apps/v1` or `v1`; returns undefined when the text is not a group/version. */
export function parseGroupVersion(apiVersion: string): GroupVersion | undefined {
  const parts = apiVersion.split('/');
  if (parts.length === 1 && parts[0]) return { group: '', version: parts[0] };
  if (parts.length === 2 && parts[0] && parts[1]) return { group: parts[0], version: parts[1] };
  return undefined;
}
