/**
 * Hooks that several kinds share. Mirrors the strategies of k8s.io/kubernetes pkg/registry. Where a kind has no hooks the registry
 * itself keeps status and spec apart.
 */
import { root } from '../../apimachinery/field-errors.ts';
import type { KubeObject } from '../../apimachinery/object.ts';

/** Paths most validations start from. */
export const metadataPath = root('metadata');
export const specPath = root('spec');
export const statusPath = root('status');

interface Sections extends KubeObject {
  readonly spec?: unknown;
  readonly status?: unknown;
}

/** A new object starts without status. */
export function dropStatus<T extends KubeObject>(object: T): T {
  if ((object as Sections).status === undefined) return object;
  const { status: _status, ...rest } = object as Sections;
  return rest as unknown as T;
}

/** A new object starts with this status. */
export function withStatus<T extends KubeObject>(object: T, status: object): T {
  return { ...object, status };
}

/** An update keeps the status there is. */
export function keepStatus<T extends KubeObject>(next: T, old: T): T {
  const status = (old as Sections).status;
  if ((next as Sections).status === status) return next;
  return status === undefined ? dropStatus(next) : { ...next, status };
}

/** An update of the status: all else stays, but the metadata is the client's. */
export function statusOnly<T extends KubeObject>(next: T, old: T): T {
  const { status: _old, ...rest } = old as Sections;
  const status = (next as Sections).status;
  return { ...rest, metadata: next.metadata, ...(status === undefined ? undefined : { status }) } as unknown as T;
}

interface WithReplicas extends KubeObject {
  readonly spec?: { readonly replicas?: number };
}

/** What the scale subresource writes. */
export function withReplicas<T extends WithReplicas>(object: T, replicas: number): T {
  return { ...object, spec: { ...object.spec, replicas } };
}
