/** What a body calls itself, as the scheme of upstream's server for it knows kinds: which ones there are, and that one is not made of another. */
import { newInvalid } from '../apimachinery/errors.ts';
import { invalid, root } from '../apimachinery/field-errors.ts';
import { getOwn } from '../base/dictionary.ts';
import { olderKinds } from './older-kinds.ts';
import { goQuote } from '../apimachinery/quote.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import type { StatusError } from '../apimachinery/status.ts';
import type { MessageSchema } from '../apimachinery/schema.ts';
import type { ObjectBody } from '../contracts/rest-storage.ts';

/** Finds what is served by group, version and kind. */
export interface KnownKinds {
  findKind(group: string, version: string, kind: string): { readonly schema: MessageSchema } | undefined;
}

export interface Named {
  readonly apiVersion: string;
  readonly kind: string;
}

export interface Misnamed {
  readonly why: string;
  /** Why is all that is said. */
  readonly isWhole?: true;
  /** Of what it calls itself: what does not fit these fields is told first. */
  readonly schema?: MessageSchema | undefined;
}

/** In every group and version, and of the machinery. */
const options = ['CreateOptions', 'DeleteOptions', 'GetOptions', 'ListOptions', 'PatchOptions', 'UpdateOptions', 'WatchEvent'];
const ofV1: ReadonlySet<string> = new Set([
  ...['APIGroup', 'APIGroupList', 'APIResourceList', 'APIVersions', 'Binding', 'List', 'NodeProxyOptions', 'PodAttachOptions', 'PodExecOptions'],
  ...[
    'PodLogOptions',
    'PodPortForwardOptions',
    'PodProxyOptions',
    'PodStatusResult',
    'RangeAllocation',
    'SerializedReference',
    'ServiceProxyOptions',
    'Status',
  ],
]);
/** Groups that servers of their own serve, in schemes of their own. */
const apart: ReadonlySet<string> = new Set(['apiextensions.k8s.io', 'apiregistration.k8s.io']);
/** In which Scales were written before they had a group of their own. */
export const scaleVersions: ReadonlySet<string> = new Set(['apps/v1beta1', 'apps/v1beta2', 'extensions/v1beta1']);
/** Packages of internal types that are not called as the group begins. */
const packages: ReadonlyMap<string, string> = new Map([
  ['', 'core'],
  ['events.k8s.io', 'core'],
  ['internal.apiserver.k8s.io', 'apiserverinternal'],
]);

/** An object of a user's own kind calls itself another: it is told as that one, beside what does not ask for the kind. */
export function otherKindFault(
  { group, kind }: { readonly group: string; readonly kind: string },
  called: string,
  { object, old, schema }: { readonly object: KubeObject; readonly old?: KubeObject; readonly schema: MessageSchema },
): StatusError {
  const others = schema.custom?.faultsBesideKind?.(object, old) ?? [];
  return newInvalid({ group, kind: called }, object.metadata.name ?? '', [invalid(root('kind'), called, `must be ${kind}`), ...others]);
}

/** Undefined where it is what is expected, or says nothing. */
export function misnamed(
  named: Named,
  expected: Pick<ObjectBody, 'apiVersion' | 'kind' | 'group' | 'alsoTakes'>,
  kinds: KnownKinds,
): Misnamed | undefined {
  const apiVersion = named.apiVersion || expected.apiVersion;
  const kind = named.kind || expected.kind;
  const isTaken = apiVersion === expected.apiVersion || expected.alsoTakes?.includes(apiVersion) === true;
  if (isTaken && kind === expected.kind) return undefined;
  const [group = '', version = ''] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  const found =
    apart.has(group) === apart.has(expected.group) && (!apart.has(group) || group === expected.group)
      ? kinds.findKind(group, version, kind)
      : undefined;
  const isOlder =
    (group === expected.group && getOwn(olderKinds, apiVersion)?.split(' ').includes(kind) === true) ||
    (kind === 'Scale' && expected.kind === kind && scaleVersions.has(apiVersion));
  if (found === undefined && !isOlder && !isRegistered(group, version, kind, kinds))
    return { why: `no kind ${goQuote(kind)} is registered for version ${goQuote(apiVersion)} in scheme "pkg/api/legacyscheme/scheme.go:30"` };
  if ((found !== undefined || isOlder) && kind === expected.kind)
    return {
      why: `the API version in the data (${apiVersion}) does not match the expected API version (${expected.apiVersion})`,
      isWhole: true,
      schema: found?.schema,
    };
  const made = options.includes(kind) || kind === 'Status' ? 'v1' : version;
  const internal = packages.get(expected.group) ?? expected.group.split('.')[0] ?? '';
  return { why: `converting (${made}.${kind}) to (${internal}.${expected.kind}): unknown conversion`, schema: found?.schema };
}

/** Bodies of subresources. */
const ofParts: ReadonlySet<string> = new Set([
  'authentication.k8s.io/v1/TokenRequest',
  'policy/v1/Eviction',
  'policy/v1beta1/Eviction',
  ...['autoscaling/v1', ...scaleVersions].map((version) => `${version}/Scale`),
]);

function isRegistered(group: string, version: string, kind: string, kinds: KnownKinds): boolean {
  if (ofParts.has(`${group}/${version}/${kind}`)) return true;
  if (group === '' && version === 'v1' && (ofV1.has(kind) || options.includes(kind))) return true;
  return kind.endsWith('List') && kinds.findKind(group, version, kind.slice(0, -'List'.length)) !== undefined;
}
