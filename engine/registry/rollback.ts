/**
 * Going back to an earlier revision of a Deployment, as the first versions did it: a POST to `rollback`, which leaves the wish with
 * the Deployment for its controller. Mirrors pkg/registry/apps/deployment/storage (RollbackREST) of the releases that had it.
 */
import { newInvalid, newNotFound } from '../apimachinery/errors.ts';
import { invalid, required, root, type FieldError } from '../apimachinery/field-errors.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import type { Status } from '../apimachinery/status.ts';
import type { Int64 } from '../base/int64.ts';
import type { JsonValue } from '../base/json.ts';
import { rollbackAnnotation } from '../contracts/rollback.ts';
import type { WriteCall, WriteCore } from './core.ts';
import { shareUnchanged } from './equal.ts';
import { orderedMeta } from './meta.ts';
import { success, type SubresourceHandler } from './subresource-handlers.ts';
import { replace } from './update.ts';

interface DeploymentRollback extends KubeObject {
  readonly name?: string;
  readonly updatedAnnotations?: { readonly [name: string]: string };
  readonly rollbackTo?: { readonly revision?: Int64 };
}

export const rollbackHandlers: readonly SubresourceHandler[] = ['extensions', 'apps'].map((group) => ({
  group,
  version: 'v1beta1',
  resource: 'deployments',
  subresource: 'rollback',
  bodyKind: { group, version: 'v1beta1', kind: 'DeploymentRollback' },
  create: rollBack,
}));

function rollBack(core: WriteCore, call: WriteCall, body: DeploymentRollback): Status {
  const admitted = call.hooks.admit(body, undefined) as DeploymentRollback;
  call.hooks.validate(admitted, undefined);
  const { name = '', updatedAnnotations, rollbackTo } = admitted;
  const faults = faultsOf(name, rollbackTo?.revision ?? 0);
  if (faults.length > 0) throw newInvalid({ group: 'apps', kind: 'DeploymentRollback' }, name, faults);
  // The body says which Deployment it is; what the path says is not looked at.
  const storage = core.table.storageOf(call.resource);
  const live = core.read(storage, call.namespace, name)?.value;
  if (live === undefined) throw newNotFound(storage.groupResource, name);
  const annotations = { ...live.metadata.annotations, ...updatedAnnotations, [rollbackAnnotation]: String(rollbackTo?.revision ?? 0) };
  const next = { ...live, metadata: orderedMeta({ ...live.metadata, annotations }) };
  replace(core, { name, namespace: call.namespace }, storage, shareUnchanged(core.canonical(next, storage, live), live));
  const { code: _, ...status } = success;
  return { ...status, message: `rollback request for deployment ${JSON.stringify(name)} succeeded`, code: 200 };
}

function faultsOf(name: string, revision: Int64): readonly FieldError[] {
  return [
    ...(name === '' ? [required(root('name'), 'name is required')] : []),
    ...(BigInt(revision) < 0n ? [invalid(root('rollback', 'version'), revision as JsonValue, 'must be greater than or equal to 0')] : []),
  ];
}
