/**
 * Whoever lets a policy read parameters may read them herself: all of the kind for a policy, the ones that are named for a binding. Asked
 * once everything else is right. Mirrors authz.go of pkg/registry/admissionregistration.
 */
import type { ParamKind, ParamRef } from '../../../api/admissionregistration/v1/types.gen.ts';
import { type FieldErrorList, type FieldPath, forbidden, root } from '../../../apimachinery/field-errors.ts';
import { goPrint } from '../../../apimachinery/go-value.ts';
import { type KubeObject, parseGroupVersion } from '../../../apimachinery/object.ts';
import { type AccessOracle, superuserGroup } from '../../../contracts/access.ts';
import type { KindDefinition, StrategyContext } from '../../../contracts/kind.ts';
import type { Identity } from '../../../contracts/request.ts';

type Hooks<T extends KubeObject> = Required<Pick<KindDefinition<T>, 'validate' | 'validateUpdate' | 'warnings'>>;
type Policy = KubeObject & { readonly spec?: { readonly paramKind?: ParamKind | null } };
type Binding = KubeObject & { readonly spec?: { readonly policyName?: string; readonly paramRef?: ParamRef | null } };
/** Why not; `old` is absent on create. */
type Refusal<T> = (object: T, old: T | undefined, access: AccessOracle, context: StrategyContext) => string | undefined;

const group = 'admissionregistration.k8s.io';

/** A policy's writer reads all of its kind of parameters. */
export function mayReadParamKind<T extends Policy>(hooks: Hooks<T>): Hooks<T> {
  return judged(hooks, root('spec', 'paramKind'), kindRefusal);
}

/** A binding's writer reads the parameters that it names. `policies` is the resource of what it binds. */
export function mayReadParamRef<T extends Binding>(hooks: Hooks<T>, policies: 'validatingadmissionpolicies' | 'mutatingadmissionpolicies'): Hooks<T> {
  return judged(hooks, root('spec', 'paramRef'), (object, _old, access, context) => refRefusal(object, access, context, policies));
}

function judged<T extends KubeObject>({ validate, validateUpdate, ...hooks }: Hooks<T>, path: FieldPath, refusal: Refusal<T>): Hooks<T> {
  const judge = (found: FieldErrorList, object: T, old: T | undefined, context: StrategyContext): FieldErrorList => {
    const { access, identity } = context;
    if (found.length > 0 || access === undefined || identity.groups.includes(superuserGroup)) return found;
    const why = refusal(object, old, access, context);
    return why === undefined ? found : [forbidden(path, why)];
  };
  return {
    ...hooks,
    validate: (object, context) => judge(validate(object, context), object, undefined, context),
    validateUpdate: (next, old, context) => judge(validateUpdate(next, old, context), next, old, context),
  };
}

function kindRefusal({ spec }: Policy, old: Policy | undefined, access: AccessOracle, context: StrategyContext): string | undefined {
  const kind = spec?.paramKind;
  if (!kind || isSame(kind, old?.spec?.paramKind)) return undefined;
  const attributes = { ...everywhere, ...formOf(kind, context).asked, verb: 'get', namespace: '*', name: '*' };
  if (access.authorize(context.identity, attributes).allowed) return undefined;
  const who = goUser(context.identity);
  return `user ${who} must have "get" permission on all objects of the referenced paramKind (kind=${kind.kind ?? ''}, apiVersion=${kind.apiVersion ?? ''})`;
}

function isSame(kind: ParamKind, old: ParamKind | null | undefined): boolean {
  return !!old && old.kind === kind.kind && old.apiVersion === kind.apiVersion;
}

function refRefusal({ spec }: Binding, access: AccessOracle, context: StrategyContext, policies: string): string | undefined {
  const { policyName = '', paramRef } = spec ?? {};
  if (!paramRef) return undefined;
  const policy = context.lookup(group, policies, undefined, policyName) as Policy | undefined;
  const kind = policy?.spec?.paramKind ?? undefined;
  const form = kind === undefined ? undefined : formOf(kind, context);
  const { name = '', namespace = '' } = paramRef;
  const verb = name === '' ? 'list' : 'get';
  if (access.authorize(context.identity, { ...everywhere, ...form?.asked, verb, namespace, name }).allowed) return undefined;
  const who = goUser(context.identity);
  const all = `to determine minimum required permissions and user ${who} does not have "${verb}" permission for all groups, versions and resources`;
  if (policy === undefined) return `unable to get policy ${policyName} ${all}`;
  if (form?.unknown !== undefined) return `unable to ${form.unknown} paramKind &{${kind?.apiVersion ?? ''} ${kind?.kind ?? ''}} ${all}`;
  // Upstream tells the two of a mutating policy's in the other order.
  const [first, second] = policies === 'mutatingadmissionpolicies' ? [verb, who] : [who, verb];
  return `user ${first} does not have "${second}" permission on the object referenced by paramRef`;
}

const everywhere = { isResource: true, path: '', group: '*', version: '*', resource: '*', subresource: '' };

interface Form {
  /** What is asked for in place of everything. */
  readonly asked: { readonly group?: string; readonly version?: string; readonly resource?: string };
  /** What upstream could not do with the kind. */
  readonly unknown?: 'parse' | 'resolve';
}

function formOf({ apiVersion = '', kind = '' }: ParamKind, context: StrategyContext): Form {
  const found = parseGroupVersion(apiVersion);
  if (found === undefined) return { asked: {}, unknown: 'parse' };
  const resource = context.resourceOf?.(found.group, found.version, kind);
  return resource === undefined ? { asked: found, unknown: 'resolve' } : { asked: { ...found, resource } };
}

/** As Go prints the structure: name, uid, groups and what else is known. */
function goUser({ name, uid = '', groups, extra = {} }: Identity): string {
  return `&{${name} ${uid} ${goPrint(groups)} ${goPrint(extra)}}`;
}
