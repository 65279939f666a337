/** What the server writes in its own name because of a request, in the request's attempt. */
import { assert } from '../base/assert.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import type { ApiRequest, Identity } from '../contracts/request.ts';
import type { WriteCall, WriteCore, WriteHooks } from '../registry/core.ts';
import type { Resource } from '../registry/resource.ts';

const ownIdentity: Identity = { name: 'system:apiserver', groups: ['system:masters', 'system:authenticated'] };
const ownManager = 'kube-apiserver';

/** Of a cluster-scoped kind; admission judges it as any request. */
export function ownRequest({ causes }: ApiRequest, verb: 'create' | 'delete', { kind }: Resource, name: string): ApiRequest {
  const { group, version, plural } = kind;
  return { verb, group, version, resource: plural, ...(name !== '' && { name }), identity: ownIdentity, userAgent: ownManager, causes };
}

/** What admission writes: nobody is asked about it again. */
export function besideCall(
  core: WriteCore,
  { causes }: ApiRequest,
  group: string,
  plural: string,
  { metadata }: KubeObject,
): Omit<WriteCall, 'subresource' | 'dryRun'> {
  const resource = core.table.findStored(group, plural);
  assert(resource !== undefined, `${plural} are stored`);
  const { namespace = '', name = '' } = metadata;
  const hooks: WriteHooks = { admit: (next) => next, validate: () => {} };
  return { resource, namespace, name, identity: ownIdentity, manager: ownManager, causes, hooks, warn: () => {} };
}
