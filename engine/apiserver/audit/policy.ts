/** What an audit policy says, and what may be wrong with it. Mirrors audit.k8s.io/v1 and apiserver pkg/apis/audit/validation. */
import { type FieldErrorList, FieldPath, invalid, required } from '../../apimachinery/field-errors.ts';
import { goQuote } from '../../apimachinery/quote.ts';
import { isDNS1123Subdomain } from '../../apimachinery/formats.ts';

/** In order: each logs more than the one before it. */
export const auditLevels = ['None', 'Metadata', 'Request', 'RequestResponse'] as const;
export type AuditLevel = (typeof auditLevels)[number];

const auditStages = ['RequestReceived', 'ResponseStarted', 'ResponseComplete', 'Panic'] as const;
export type AuditStage = (typeof auditStages)[number];

export interface GroupResources {
  readonly group?: string;
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
}

/** What is absent or empty matches everything. */
export interface AuditRule {
  readonly level: AuditLevel;
  readonly users?: readonly string[];
  readonly userGroups?: readonly string[];
  readonly verbs?: readonly string[];
  readonly resources?: readonly GroupResources[];
  readonly namespaces?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
  readonly omitStages?: readonly AuditStage[];
  readonly omitManagedFields?: boolean;
}

export interface AuditPolicy {
  /** The first that matches decides; what none matches is not logged. */
  readonly rules: readonly AuditRule[];
  readonly omitStages?: readonly AuditStage[];
  readonly omitManagedFields?: boolean;
}

export function validatePolicy({ rules, omitStages }: AuditPolicy): FieldErrorList {
  const path = new FieldPath(undefined, 'rules');
  return [...stageFaults(omitStages, new FieldPath(undefined, 'omitStages')), ...rules.flatMap((rule, index) => ruleFaults(rule, path.index(index)))];
}

function ruleFaults(rule: AuditRule, path: FieldPath): FieldErrorList {
  return [
    ...levelFaults(rule.level, path.child('level')),
    ...stageFaults(rule.omitStages, path.child('omitStages')),
    ...urlFaults(rule.nonResourceURLs ?? [], path.child('nonResourceURLs')),
    ...resourceFaults(rule.resources ?? [], path.child('resources')),
    ...mixtureFaults(rule, path),
  ];
}

/** Upstream's list of levels stands in their own order. */
function levelFaults(level: string, path: FieldPath): FieldErrorList {
  if ((auditLevels as readonly string[]).includes(level)) return [];
  if (level === '') return [required(path)];
  const detail = `supported values: ${auditLevels.map(goQuote).join(', ')}`;
  return [{ type: 'FieldValueNotSupported', field: path.toString(), badValue: level, detail }];
}

function stageFaults(stages: readonly string[] | undefined, path: FieldPath): FieldErrorList {
  return (stages ?? []).flatMap((stage, index) =>
    (auditStages as readonly string[]).includes(stage) ? [] : [invalid(path.index(index), stage, `allowed stages are ${auditStages.join(',')}`)],
  );
}

function urlFaults(urls: readonly string[], path: FieldPath): FieldErrorList {
  return urls.flatMap((url, index) => {
    if (url === '*') return [];
    return [
      ...(url.startsWith('/') ? [] : [invalid(path.index(index), url, "non-resource URL rules must begin with a '/' character")]),
      ...(url.slice(0, -1).includes('*')
        ? [invalid(path.index(index), url, "non-resource URL wildcards '*' must be the final character of the rule")]
        : []),
    ];
  });
}

function resourceFaults(resources: readonly GroupResources[], path: FieldPath): FieldErrorList {
  return resources.flatMap(({ group = '', resources: names = [], resourceNames = [] }) => [
    ...(group === '' ? [] : isDNS1123Subdomain(group).map((detail) => invalid(path.child('group'), group, detail))),
    ...(resourceNames.length > 0 && names.length === 0
      ? [invalid(path.child('resourceNames'), resourceNames, 'using resourceNames requires at least one resource')]
      : []),
  ]);
}

function mixtureFaults({ nonResourceURLs = [], resources = [], namespaces = [] }: AuditRule, path: FieldPath): FieldErrorList {
  if (nonResourceURLs.length === 0 || (resources.length === 0 && namespaces.length === 0)) return [];
  return [invalid(path.child('nonResourceURLs'), nonResourceURLs, 'rules cannot apply to both regular resources and non-resource URLs')];
}
