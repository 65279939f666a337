/**
 * What expressions of webhooks and policies see: `object`, `oldObject`, `request`, `namespaceObject`, `params`, `variables`,
 * `authorizer`. Mirrors apiserver pkg/admission/plugin/cel.
 */
import type { Namespace } from '../../../api/core/v1/types.gen.ts';
import { getOwn } from '../../../base/dictionary.ts';
import type { JsonObject, JsonValue } from '../../../base/json.ts';
import type { KubeObject } from '../../../apimachinery/object.ts';
import type { Limits } from '../../../cel/evaluate.ts';
import { celOf } from '../../../cel/json.ts';
import { CelAuthorizer } from '../../../cel/libraries/authorizer.ts';
import { CelTimestamp, readTimestamp } from '../../../cel/libraries/times.ts';
import type { CelProgram } from '../../../cel/program.ts';
import { celMap, CelError, type CelObject, type CelValue } from '../../../cel/values.ts';
import type { AdmissionAttributes, AdmittedResource } from '../../admission.ts';

/** What one expression may cost, and how many nodes of it are looked at. */
const limitsPerCall: Limits = { costMax: 1_000_000, stepsMax: 1_000_000 };

export type Activation = Map<string, CelValue>;

export interface Seen {
  readonly attributes: AdmissionAttributes;
  /** In the version that the rules matched. */
  readonly object: KubeObject | undefined;
  readonly oldObject: KubeObject | undefined;
  readonly matched: AdmittedResource;
  readonly params?: KubeObject | null;
  readonly namespace?: Namespace | undefined;
}

export function activationOf(seen: Seen): Activation {
  const { attributes, matched, params, namespace } = seen;
  const authorizer = authorizerOf(attributes);
  const values: Activation = new Map<string, CelValue>([
    ['object', celOf(seen.object as JsonValue | undefined)],
    ['oldObject', celOf(seen.oldObject as JsonValue | undefined)],
    ['request', celOf(requestOf(attributes, matched))],
    ['namespaceObject', namespace === undefined ? null : namespaceValue(namespace)],
    ['authorizer', authorizer],
    ['authorizer.requestResource', authorizer.requestResource ?? null],
  ]);
  if (params !== undefined) values.set('params', celOf(params as JsonValue | null));
  return values;
}

/** `spend`: hears what it has cost, also where it fails. Throws CelError, and what `spend` throws. */
export function evaluateWithin(program: CelProgram, values: Activation, spend: (cost: number) => void): CelValue {
  let cost = 0;
  try {
    const outcome = program.evaluate(values, limitsPerCall);
    ({ cost } = outcome);
    return outcome.value;
  } catch (error) {
    if (error instanceof CelError) cost = error.cost ?? 0;
    throw error;
  } finally {
    spend(cost);
  }
}

/** The value of a failed expression as upstream words it. */
export function failureText(expression: string, { message }: CelError): string {
  return `expression '${expression}' resulted in error: ${message}`;
}

function userInfoOf({ identity }: AdmissionAttributes): JsonObject {
  const { name, uid, groups, extra } = identity;
  return {
    username: name,
    ...(uid === undefined || uid === '' ? {} : { uid }),
    ...(groups.length === 0 ? {} : { groups }),
    ...(extra === undefined || Object.keys(extra).length === 0 ? {} : { extra: extra as JsonObject }),
  };
}

/** Without the objects, which expressions have beside it. */
export function requestOf(attributes: AdmissionAttributes, matched: AdmittedResource): JsonObject {
  const { verb, subresource, name, namespace, dryRun, operationOptions, forms } = attributes;
  const { requested } = forms;
  const kindOf = ({ kindGroup: group, kindVersion: version, kind }: AdmittedResource): JsonObject => ({ group, version, kind });
  const resourceOf = ({ group, version, resource }: AdmittedResource): JsonObject => ({ group, version, resource });
  return {
    kind: kindOf(matched),
    resource: resourceOf(matched),
    ...(subresource === '' ? {} : { subResource: subresource }),
    requestKind: kindOf(requested),
    requestResource: resourceOf(requested),
    ...(subresource === '' ? {} : { requestSubResource: subresource }),
    ...(name === '' ? {} : { name }),
    ...(namespace === '' ? {} : { namespace }),
    operation: verb,
    userInfo: userInfoOf(attributes),
    dryRun,
    ...(operationOptions === undefined ? {} : { options: operationOptions }),
  };
}

function authorizerOf(attributes: AdmissionAttributes): CelAuthorizer {
  const { identity, group, version, resource, subresource, namespace, name, authorize } = attributes;
  const serviceAccount = (account: { readonly namespace: string; readonly name: string }): typeof identity => ({
    name: `system:serviceaccount:${account.namespace}:${account.name}`,
    groups: ['system:serviceaccounts', `system:serviceaccounts:${account.namespace}`, 'system:authenticated'],
  });
  return new CelAuthorizer(
    {
      decide: ({ path, ...access }, account) =>
        authorize(account === undefined ? identity : serviceAccount(account), {
          ...access,
          isResource: path === undefined,
          path: path ?? '',
          version: access.group === group && access.resource === resource ? version : '*',
        }),
    },
    { group, resource, subresource, namespace, name },
  );
}

const noTime = new CelTimestamp(-62_135_596_800_000_000_000n);

/** As upstream shows it: some fields of the metadata, spec and status. */
function namespaceValue({ metadata, spec, status }: Namespace): CelValue {
  const time = (text: unknown): CelValue => (typeof text === 'string' ? (readTimestamp(text) ?? noTime) : noTime);
  const timed = (source: JsonObject, names: readonly string[]): CelObject => ({
    celType: 'kubernetes.NamespaceMetadata',
    field: (name) => {
      const value = getOwn(source, name);
      return value === undefined ? undefined : names.includes(name) ? time(value) : celOf(value);
    },
  });
  const { managedFields: _, ownerReferences: __, uid, ...shown } = metadata as unknown as JsonObject;
  const meta = timed({ ...shown, ...(uid === undefined ? {} : { UID: uid }) }, ['creationTimestamp', 'deletionTimestamp']);
  return celMap([
    ['metadata', meta],
    ['spec', celOf((spec ?? {}) as JsonValue)],
    ['status', celOf((status ?? {}) as JsonValue)],
  ]);
}
