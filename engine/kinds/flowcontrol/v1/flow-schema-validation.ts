/** Validation of flow schemas. Mirrors kubernetes pkg/apis/flowcontrol/validation. */
import type {
  FlowSchema,
  FlowSchemaSpec,
  NonResourcePolicyRule,
  PolicyRulesWithSubjects,
  ResourcePolicyRule,
  Subject,
} from '../../../api/flowcontrol/v1/types.gen.ts';
import { semanticEqual } from '../../../apimachinery/semantic-equal.ts';
import { type FieldErrorList, type FieldPath, forbidden, invalid, notSupported, required, root } from '../../../apimachinery/field-errors.ts';
import { isDNS1123Label, isDNS1123Subdomain } from '../../../apimachinery/formats.ts';
import { conditionFaults } from './condition-validation.ts';
import { asInternalSchemaSpec } from './internal-form.ts';
import { exemptName, mandatorySchemas } from './mandatory.ts';

const precedenceMax = 10_000;
const verbs = ['get', 'list', 'create', 'update', 'patch', 'watch', 'delete', 'deletecollection', 'proxy'];

export function validateFlowSchema({ metadata: { name = '' }, spec = {} as FlowSchemaSpec, status }: FlowSchema): FieldErrorList {
  const fixed = mandatorySchemas.find((schema) => schema.metadata.name === name)?.spec;
  const isChanged = fixed !== undefined && !semanticEqual(spec, fixed);
  return [
    ...specFaults(spec, name, root('spec')),
    ...(isChanged ? [invalid(root('spec'), asInternalSchemaSpec(spec), `spec of '${name}' must equal the fixed value`)] : []),
    ...validateFlowSchemaStatus({ status }),
  ];
}

export function validateFlowSchemaStatus({ status }: { readonly status?: FlowSchema['status'] | undefined }): FieldErrorList {
  return conditionFaults(status?.conditions ?? [], root('status', 'conditions'));
}

function specFaults(spec: FlowSchemaSpec, name: string, path: FieldPath): FieldErrorList {
  const { distinguisherMethod, rules } = spec;
  const method = distinguisherMethod?.type ?? '';
  const isMethod = distinguisherMethod === undefined || method === 'ByUser' || method === 'ByNamespace';
  return [
    ...precedenceFaults(spec.matchingPrecedence ?? 0, name, path.child('matchingPrecedence')),
    ...(isMethod ? [] : [notSupported(path.child('distinguisherMethod', 'type'), { Type: method }, ['ByUser', 'ByNamespace'])]),
    ...levelFaults(spec.priorityLevelConfiguration?.name ?? '', path.child('priorityLevelConfiguration', 'name')),
    ...(rules ?? []).flatMap((rule, index) => ruleFaults(rule, path.child('rules').index(index))),
  ];
}

function precedenceFaults(precedence: number, name: string, path: FieldPath): FieldErrorList {
  if (precedence <= 0) return [invalid(path, precedence, 'must be a positive value')];
  if (precedence > precedenceMax) return [invalid(path, precedence, `must not be greater than ${precedenceMax}`)];
  return precedence === 1 && name !== exemptName ? [invalid(path, precedence, "only the schema named 'exempt' may have matchingPrecedence 1")] : [];
}

function levelFaults(name: string, path: FieldPath): FieldErrorList {
  if (name === '') return [required(path, 'must reference a priority level')];
  return isDNS1123Subdomain(name).map((detail) => invalid(path, name, detail));
}

function ruleFaults({ subjects, resourceRules, nonResourceRules }: PolicyRulesWithSubjects, path: FieldPath): FieldErrorList {
  const isEmpty = (resourceRules ?? []).length === 0 && (nonResourceRules ?? []).length === 0;
  return [
    ...((subjects ?? []).length === 0 ? [required(path.child('subjects'), 'subjects must contain at least one value')] : []),
    ...(subjects ?? []).flatMap((subject, index) => subjectFaults(subject, path.child('subjects').index(index))),
    ...(isEmpty ? [required(path, 'at least one of resourceRules and nonResourceRules has to be non-empty')] : []),
    ...(resourceRules ?? []).flatMap((rule, index) => resourceFaults(rule, path.child('resourceRules').index(index))),
    ...(nonResourceRules ?? []).flatMap((rule, index) => nonResourceFaults(rule, path.child('nonResourceRules').index(index))),
  ];
}

const members = { ServiceAccount: 'serviceAccount', User: 'user', Group: 'group' } as const;
/** In the order in which upstream looks at them, for each kind. */
const others = { ServiceAccount: ['User', 'Group'], User: ['ServiceAccount', 'Group'], Group: ['ServiceAccount', 'User'] } as const;

function subjectFaults(subject: Subject, path: FieldPath): FieldErrorList {
  const kind = subject.kind as keyof typeof members;
  if (!Object.hasOwn(members, kind)) return [notSupported(path.child('kind'), subject.kind ?? '', Object.keys(members))];
  const own = path.child(members[kind]);
  const faults =
    subject[members[kind]] === undefined
      ? [required(own, `${members[kind]} is required when subject kind is '${kind}'`)]
      : memberFaults(subject, own);
  const strangers = others[kind].filter((other) => subject[members[other]] !== undefined);
  return [
    ...faults,
    ...strangers.map((other) => forbidden(path.child(members[other]), `${members[other]} is forbidden when subject kind is not '${other}'`)),
  ];
}

function memberFaults({ kind, user, group, serviceAccount }: Subject, path: FieldPath): FieldErrorList {
  if (kind !== 'ServiceAccount') return (kind === 'User' ? user?.name : group?.name) ? [] : [required(path.child('name'))];
  const { name = '', namespace = '' } = serviceAccount ?? {};
  const nameFaults = name === '*' ? [] : isDNS1123Subdomain(name).map((detail) => invalid(path.child('name'), name, detail));
  return [
    ...(name === '' ? [required(path.child('name'))] : nameFaults),
    ...(namespace === ''
      ? [required(path.child('namespace'), 'must specify namespace for service account')]
      : isDNS1123Label(namespace).map((detail) => invalid(path.child('namespace'), namespace, detail))),
  ];
}

function resourceFaults(rule: ResourcePolicyRule, path: FieldPath): FieldErrorList {
  return [
    ...verbFaults(rule.verbs ?? [], path.child('verbs')),
    ...listFaults(rule.apiGroups ?? [], path.child('apiGroups'), 'resource rules must supply at least one api group', 'api groups'),
    ...listFaults(rule.resources ?? [], path.child('resources'), 'resource rules must supply at least one resource', 'resources'),
    ...namespaceFaults(rule, path.child('namespaces')),
  ];
}

function namespaceFaults({ namespaces: given, clusterScope }: ResourcePolicyRule, path: FieldPath): FieldErrorList {
  const namespaces = given ?? [];
  if (namespaces.length === 0)
    return clusterScope === true ? [] : [required(path, 'resource rules that are not cluster scoped must supply at least one namespace')];
  if (namespaces.includes('*')) return listFaults(namespaces, path, '', 'namespaces');
  return namespaces.flatMap((namespace, index) =>
    isDNS1123Label(namespace).map((detail) =>
      invalid(path.index(index), namespace, `each member of this list must be '*' or a DNS-1123 label; ${detail}`),
    ),
  );
}

function nonResourceFaults(rule: NonResourcePolicyRule, path: FieldPath): FieldErrorList {
  const urls = rule.nonResourceURLs ?? [];
  const at = path.child('nonResourceURLs');
  return [
    ...verbFaults(rule.verbs ?? [], path.child('verbs')),
    ...(urls.length === 0 || urls.includes('*')
      ? listFaults(urls, at, 'nonResourceURLs must contain at least one value', 'non-resource URLs')
      : urls.flatMap((url, index) => urlFaults(url, at.index(index)))),
  ];
}

function verbFaults(given: readonly string[], path: FieldPath): FieldErrorList {
  const faults = listFaults(given, path, 'verbs must contain at least one value', 'verbs');
  if (faults.length > 0 || given.includes('*') || given.every((verb) => verbs.includes(verb))) return faults;
  return [notSupported(path, given, verbs)];
}

function listFaults(given: readonly string[], path: FieldPath, whenEmpty: string, others: string): FieldErrorList {
  if (given.length === 0) return [required(path, whenEmpty)];
  return given.includes('*') && given.length > 1 ? [invalid(path, given, `if '*' is present, must not specify other ${others}`)] : [];
}

function urlFaults(url: string, path: FieldPath): FieldErrorList {
  const detail = urlFault(url);
  return detail === undefined ? [] : [invalid(path, url, detail)];
}

function urlFault(url: string): string | undefined {
  if (url === '') return 'must not be empty';
  if (url === '/') return undefined;
  if (!url.startsWith('/')) return 'must start with slash';
  if (url.includes(' ')) return 'must not contain white-space';
  if (url.includes('//')) return 'must not contain double slash';
  const wildcards = url.split('*').length - 1;
  return wildcards > 1 || (wildcards === 1 && !url.endsWith('/*')) ? 'wildcard can only do suffix matching' : undefined;
}
