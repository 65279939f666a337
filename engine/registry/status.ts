/** What a write of `status` is, where a kind says no more than that it has one. Mirrors the status strategies of pkg/registry. */
import type { KubeObject } from '../apimachinery/object.ts';
import type { KindDefinition, SubresourceDefinition } from '../contracts/kind.ts';
import { metaOfStatus } from './meta-checks.ts';

const specOnly: readonly (readonly string[])[] = [['spec']];

/** The kind's own definition, with what it leaves unsaid; undefined where it has no status. */
export function statusDefinition(kind: KindDefinition): SubresourceDefinition<KubeObject> | undefined {
  const { statusSubresource: declared = false } = kind;
  if (declared === false) return undefined;
  return {
    verbs: ['get', 'update', 'patch'],
    prepareForUpdate: (next, old) => withStatus(kind, next, old),
    validateUpdate: () => [],
    resetFields: specOnly,
    ...(declared === true ? undefined : declared),
    tellsState: true,
  };
}

function withStatus(kind: KindDefinition, next: KubeObject, old: KubeObject): KubeObject {
  const metadata = kind.metaChecks?.keptByStatus === true ? metaOfStatus(next.metadata, old.metadata) : next.metadata;
  const { status } = next as KubeObject & { readonly status?: unknown };
  if (status !== undefined) return { ...old, metadata, status } as KubeObject;
  // Where upstream has a pointer it may be told away.
  const { status: _former, ...rest } = old as KubeObject & { readonly status?: unknown };
  return { ...rest, metadata };
}
