/** What storages are made of. */
import type { Attempt, Finish } from '../../contracts/attempt.ts';
import type { SchemaRegistry } from '../../apimachinery/schema.ts';
import type { KubeletConnections } from '../../contracts/connect.ts';
import type { ApiRequest, ApiResult } from '../../contracts/request.ts';
import type { ResourceRegistry } from '../../registry/resource-registry.ts';
import type { Resource } from '../../registry/resource.ts';

/** The writing verbs, with admission around the registry. */
export interface StorageWriter {
  write(request: ApiRequest, resource: Resource, attempt: Attempt): Finish<ApiResult>;
}

export interface StorageTools {
  readonly registry: ResourceRegistry;
  readonly schemas: SchemaRegistry;
  readonly writer: StorageWriter;
  /** Absent where no nodes are (unit tests): what leads to a kubelet answers 501. */
  readonly kubelets: KubeletConnections | undefined;
}
