/**
 * What the reviews of access have in common: their validation and the question they put to the authorizer. Mirrors
 * pkg/apis/authorization/validation/validation.go and pkg/registry/authorization/util/helpers.go.
 */
import type {
  ResourceAttributes,
  SelfSubjectAccessReviewSpec,
  SubjectAccessReviewSpec,
  SubjectAccessReviewStatus,
} from '../../../api/authorization/v1/types.gen.ts';
import type { AccessAttributes } from '../../../contracts/access.ts';
import { type FieldError, type FieldPath, forbidden, invalid, required, root } from '../../../apimachinery/field-errors.ts';
import { parseFieldSelector } from '../../../apimachinery/fields.ts';
import { parseSelector } from '../../../apimachinery/label-parser.ts';
import { SelectorError } from '../../../apimachinery/labels.ts';
import { isValidLabelValue, validateLabelName } from '../../../apimachinery/validation.ts';
import type { StrategyContext } from '../../../contracts/kind.ts';
import type { ObjectMeta } from '../../../apimachinery/object.ts';
import type { Identity } from '../../../contracts/request.ts';

/** Exactly one of the two attributes, and selectors that say something. */
export function attributeFaults(spec: SelfSubjectAccessReviewSpec): readonly FieldError[] {
  const { resourceAttributes, nonResourceAttributes } = spec;
  const path = root('spec');
  const faults: FieldError[] = [];
  if (resourceAttributes !== undefined && nonResourceAttributes !== undefined) {
    faults.push(
      invalid(
        path.child('nonResourceAttributes'),
        internalAttributes(nonResourceAttributes),
        'cannot be specified in combination with resourceAttributes',
      ),
    );
  }
  if (resourceAttributes === undefined && nonResourceAttributes === undefined) {
    faults.push(invalid(path.child('resourceAttributes'), null, 'exactly one of nonResourceAttributes or resourceAttributes must be specified'));
  }
  return faults;
}

/** As upstream's own value prints, whose members have no JSON names. */
export function internalAttributes({ path = '', verb = '' }: NonNullable<SelfSubjectAccessReviewSpec['nonResourceAttributes']>): object {
  return { Path: path, Verb: verb };
}

export function selectorFaults({ resourceAttributes }: SelfSubjectAccessReviewSpec): readonly FieldError[] {
  if (resourceAttributes === undefined) return [];
  const path = root('spec', 'resourceAttributes');
  return (['fieldSelector', 'labelSelector'] as const).flatMap((name) =>
    oneSelectorFaults(resourceAttributes[name], name === 'labelSelector', path.child(name)),
  );
}

function oneSelectorFaults(selector: ResourceAttributes['fieldSelector'], isLabels: boolean, path: FieldPath): readonly FieldError[] {
  if (selector === undefined) return [];
  const hasRaw = (selector.rawSelector ?? '') !== '';
  const hasRequirements = (selector.requirements ?? []).length > 0;
  const requirements = (selector.requirements ?? []).flatMap((one, index) =>
    requirementFaults(one, isLabels, path.child('requirements').index(index)),
  );
  if (hasRaw && hasRequirements)
    return [invalid(path.child('rawSelector'), selector.rawSelector ?? '', 'may not specified at the same time as requirements'), ...requirements];
  if (!hasRaw && !hasRequirements)
    return [required(path.child('requirements'), `when ${path.toString()} is specified, requirements or rawSelector is required`)];
  return requirements;
}

type Requirement = NonNullable<NonNullable<ResourceAttributes['fieldSelector']>['requirements']>[number];

/** Operators that are not known pass: newer clients may know more. */
function requirementFaults({ key = '', operator, values = [] }: Partial<Requirement>, isLabels: boolean, path: FieldPath): readonly FieldError[] {
  const isSet = operator === 'In' || operator === 'NotIn';
  const isThere = operator === 'Exists' || operator === 'DoesNotExist';
  const count = [
    ...(isSet && values.length === 0 ? [required(path.child('values'), "must be specified when `operator` is 'In' or 'NotIn'")] : []),
    ...(isThere && values.length > 0 ? [forbidden(path.child('values'), "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")] : []),
  ];
  if (!isLabels) return [...(key === '' ? [required(path.child('key'), 'must be specified')] : []), ...count];
  const odd = values.flatMap((value, index) => isValidLabelValue(value).map((fault) => invalid(path.child('values').index(index), value, fault)));
  return [...count, ...validateLabelName(key, path.child('key')), ...odd];
}

/** `but` is the one field that may be set. */
export function metadataFaults(metadata: ObjectMeta | undefined, but: 'namespace' | undefined): readonly FieldError[] {
  const set = Object.entries(metadata ?? {}).filter(
    ([name, value]) => name !== 'managedFields' && name !== but && value !== undefined && value !== null && value !== '',
  );
  if (set.length === 0) return [];
  return [invalid(root('metadata'), metadata as unknown, but === undefined ? 'must be empty' : `must be empty except for ${but}`)];
}

export function subjectFaults({ user, groups }: SubjectAccessReviewSpec): readonly FieldError[] {
  if ((user ?? '') !== '' || (groups ?? []).length > 0) return [];
  return [invalid(root('spec', 'user'), user ?? '', 'at least one of user or group must be specified')];
}

export function subjectOf({ user, groups, uid, extra }: SubjectAccessReviewSpec): Identity {
  return { name: user ?? '', groups: groups ?? [], ...(uid === undefined ? {} : { uid }), ...(extra === undefined ? {} : { extra }) };
}

/** The authorizer's answer as a review's status. */
export function reviewStatus(identity: Identity, spec: SelfSubjectAccessReviewSpec, context: StrategyContext): SubjectAccessReviewStatus {
  if (context.access === undefined) return { allowed: false };
  const { allowed, reason, denied, error } = context.access.authorize(identity, attributesOf(spec));
  const told = [...(error === undefined ? [] : [error]), ...unreadSelectors(spec.resourceAttributes)];
  return {
    allowed,
    ...(denied === true ? { denied } : {}),
    ...(reason === '' ? {} : { reason }),
    ...(told.length === 0 ? {} : { evaluationError: told.join('; ') }),
  };
}

/** Selectors that the authorizer cannot read, wholly or in part: what is left of them asks for more. Mirrors pkg/registry/authorization/util. */
function unreadSelectors({ fieldSelector, labelSelector }: Partial<ResourceAttributes> = {}): readonly string[] {
  const tell = (
    name: string,
    selector: ResourceAttributes['fieldSelector'],
    parse: (raw: string) => unknown,
    isRead: (one: Requirement) => boolean,
  ) => {
    const requirements = selector?.requirements ?? [];
    const read = requirements.filter(isRead).length;
    const isRaw = (selector?.rawSelector ?? '') !== '';
    if (isRaw ? parses(() => parse(selector?.rawSelector ?? '')) : read === requirements.length) return [];
    return [`spec.resourceAttributes.${name} ${read > 0 ? 'partially ' : ''}ignored due to parse error`];
  };
  return [
    ...tell('fieldSelector', fieldSelector, parseFieldSelector, ({ operator, values = [] }) => /^(In|NotIn)$/.test(operator) && values.length === 1),
    ...tell('labelSelector', labelSelector, parseSelector, ({ operator }) => /^(In|NotIn|Exists|DoesNotExist)$/.test(operator)),
  ];
}

function parses(parse: () => unknown): boolean {
  try {
    parse();
    return true;
  } catch (error) {
    if (error instanceof SelectorError) return false;
    throw error;
  }
}

function attributesOf({ resourceAttributes, nonResourceAttributes }: SelfSubjectAccessReviewSpec): AccessAttributes {
  const { verb, group, version, resource, subresource, namespace, name } = resourceAttributes ?? {};
  return {
    verb: verb ?? nonResourceAttributes?.verb ?? '',
    isResource: resourceAttributes !== undefined,
    path: nonResourceAttributes?.path ?? '',
    group: group ?? '',
    version: version ?? '*',
    resource: resource ?? '',
    subresource: subresource ?? '',
    namespace: namespace ?? '',
    name: name ?? '',
  };
}
