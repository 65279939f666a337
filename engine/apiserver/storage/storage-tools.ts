/** What storages are made of. */
import type { Attempt, Finish } from '../../contracts/attempt.ts';
import type { GroupVersionKind, KubeObject } from '../../apimachinery/object.ts';
import type { SchemaRegistry } from '../../apimachinery/schema.ts';
import type { Status } from '../../apimachinery/status.ts';
import type { KubeletConnections } from '../../contracts/connect.ts';
import type { ApiRequest, ApiResult } from '../../contracts/request.ts';
import type { WriteCall, WriteCore } from '../../registry/core.ts';
import type { PatchCall } from '../../registry/patch.ts';
import type { ResourceRegistry } from '../../registry/resource-registry.ts';
import type { Resource } from '../../registry/resource.ts';
import type { Written } from '../../registry/update.ts';

/** A part of an object that is written in a form of its own (`Scale`, `Binding`, `Eviction`). */
export interface WrittenPart {
  readonly bodyKind: Omit<GroupVersionKind, 'apiVersion'>;
  create?(core: WriteCore, call: WriteCall, body: KubeObject): KubeObject | Status;
  update?(core: WriteCore, call: WriteCall, body: KubeObject): Written;
  patch?(core: WriteCore, call: WriteCall, patch: PatchCall): Written;
}

/** The writing verbs, with admission around the registry. */
export interface StorageWriter {
  /** `part`: what of the object is written, where it is not the object itself. */
  write(request: ApiRequest, resource: Resource, attempt: Attempt, part?: WrittenPart): Finish<ApiResult>;
}

export interface StorageTools {
  readonly registry: ResourceRegistry;
  readonly schemas: SchemaRegistry;
  readonly writer: StorageWriter;
  /** Where versions of computed collections begin. */
  readonly firstVersion: number;
  /** Absent where no nodes are (unit tests): what leads to a kubelet answers 501. */
  readonly kubelets: KubeletConnections | undefined;
}
