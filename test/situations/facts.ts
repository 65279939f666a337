/**
 * What controllers wrote, in a normal form: without times, uids, revisions and addresses, names by pattern. Two clusters that behave
 * alike have the same facts. The order of lists is kept where it has a meaning.
 */
import { hashOfText } from '../../engine/controllers/lib/template-hash.ts';
import type { SituationOptions } from './situation.ts';
import type { Thing, World } from './world.ts';

export interface Fact {
  /** When it was looked at: `end`, or the name of a look. */
  readonly look: string;
  /** The resource, or `refused` or `stuck`. */
  readonly of: string;
  readonly fact: object;
}

/** Whether hashes of templates are compared by value and not by pattern. */
const comparesHashes = true;

type Fields = { readonly [field: string]: unknown };

export function collectFacts(world: World, namespace: string, look: string, options: SituationOptions): readonly Fact[] {
  const facts: Fact[] = [];
  const hashes = gangHashes(world, namespace);
  const add = (of: string, fact: object): void => void facts.push({ look, of, fact: named(hidden(fact, namespace) as object, hashes) });
  for (const resource of world.dialect.namespacedResources) {
    if (resource === 'events' && look !== 'end') continue;
    const isAbout = (event: Thing): boolean => ((event['involvedObject'] as Fields)['name'] as string).startsWith(namespace);
    const things =
      resource === 'events'
        ? [...world.list(resource, namespace), ...world.list(resource, 'default').filter(isAbout)]
        : world.list(resource, namespace);
    for (const thing of things)
      if (!isStandard(resource, thing)) add(resource, resource === 'events' ? eventFact(thing, options) : factOf(resource, thing));
  }
  for (const resource of world.dialect.clusterResources) {
    for (const thing of world.list(resource, '')) {
      const isOwn = thing.metadata.name.startsWith(namespace) && (resource !== 'namespaces' || thing.metadata.deletionTimestamp !== undefined);
      if (isOwn) add(resource, factOf(resource, thing));
    }
  }
  return facts;
}

/** Hashes in the names of the Workloads and PodGroups of Jobs, which follow from the Jobs' uids: the text to look for, and what stands for it. */
function gangHashes(world: World, namespace: string): readonly (readonly [string, string])[] {
  if (!world.dialect.serves('workloads')) return [];
  const told = world.list('events', namespace).map((event) => event['involvedObject'] as Fields);
  return told
    .filter(({ kind }) => kind === 'Job')
    .flatMap(({ name, uid }) => {
      const job = hashOfText(`(types.UID)${uid as string}`);
      const group = hashOfText(`${name as string}-${job}${name as string}-pgt-0`);
      return [
        [`-${group}`, '-<hash of Workload and template>'],
        [`-${job}`, '-<hash of the uid>'],
      ] as const;
    });
}

function named(fact: object, hashes: readonly (readonly [string, string])[]): object {
  if (hashes.length === 0) return fact;
  return JSON.parse(hashes.reduce((text, [hash, stands]) => text.replaceAll(hash, stands), JSON.stringify(fact))) as object;
}

/** Facts as lines of text in order, equal for equal facts; what there is several times is counted. */
export function factLines(facts: readonly Fact[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { look, of, fact } of facts) {
    const line = masked(`${look} ${of} ${canonical(fact)}`);
    // An Event without a count may come any number of times.
    counts.set(line, of === 'events' && !('count' in fact) && counts.has(line) ? 1 : (counts.get(line) ?? 0) + 1);
  }
  return [...counts].map(([line, count]) => (count === 1 ? line : `${line} ×${count}`)).sort();
}

/** What every namespace has. */
function isStandard(resource: string, { metadata: { name } }: Thing): boolean {
  return (
    (resource === 'configmaps' && name === 'kube-root-ca.crt') ||
    (resource === 'serviceaccounts' && name === 'default') ||
    (resource === 'secrets' && name.startsWith('default-token-'))
  );
}

function eventFact(event: Thing, { uncounted = [] }: SituationOptions): object {
  const { reason, type, message, count, source, reportingComponent, action, series, related } = event as Fields;
  const { kind, name, fieldPath } = event['involvedObject'] as Fields;
  if (uncounted.includes(String(reason)))
    return {
      about: `${kind as string} ${name as string}`,
      reason,
      type,
      message: String(message).replace(/^\(combined from similar events\): /, ''),
    };
  return {
    about: `${kind as string} ${name as string}`,
    fieldPath,
    reason,
    type,
    message,
    count,
    source,
    reportingComponent,
    action,
    series,
    related,
  };
}

function factOf(resource: string, thing: Thing): object {
  const { metadata, kind: _kind, apiVersion: _version, ...rest } = thing;
  const { name, generateName, labels, annotations, finalizers, generation, deletionTimestamp, deletionGracePeriodSeconds } = metadata as Fields;
  const owners = (metadata['ownerReferences'] as readonly Fields[] | undefined)?.map(({ uid: _uid, ...owner }) => owner);
  const meta = { name, generateName, labels, annotations, finalizers, owners, generation, deletionTimestamp, deletionGracePeriodSeconds };
  return { ...meta, ...(trims[resource] ?? withoutTemplate)(rest) };
}

/** What is left of an object beside its metadata, where not all of it is the controllers' work. */
const trims: Readonly<Record<string, (rest: Fields) => object>> = {
  pods: ({ spec, status }) => ({
    spec: podSpec(spec as Fields),
    status: only(status as Fields, ['phase', 'reason', 'message', 'conditions', 'qosClass']),
  }),
  nodes: ({ spec, status }) => ({
    spec: { ...(spec as Fields), podCIDR: undefined, podCIDRs: undefined },
    status: { conditions: (status as Fields)['conditions'] },
  }),
  endpointslices: ({ endpoints, ...rest }) => ({ ...rest, endpoints: sorted(endpoints) }),
  endpoints: ({ subsets }) => ({ subsets: sorted((subsets as readonly Fields[] | undefined)?.map(sortedSubset)) }),
  secrets: ({ type, data }) => ({ type, data: Object.keys((data as Fields | undefined) ?? {}).sort() }),
  configmaps: ({ data }) => ({ data }),
  namespaces: ({ status }) => ({ status }),
  // Who asked is the test; what was signed has a serial and times of its own.
  certificatesigningrequests: ({ spec, status }) => ({
    spec: only(spec as Fields, ['signerName', 'usages', 'expirationSeconds']),
    status: { ...(status as Fields), certificate: (status as Fields)['certificate'] === undefined ? undefined : '<certificate>' },
  }),
  clusterroles: ({ rules, aggregationRule }) => ({ rules, aggregationRule }),
};

function withoutTemplate({ spec, ...rest }: Fields): object {
  const fields = spec as Fields | undefined;
  if (fields === undefined) return rest;
  const { template, jobTemplate, ...others } = fields;
  const short = template === undefined ? undefined : { metadata: (template as Fields)['metadata'] };
  const job = jobTemplate === undefined ? undefined : { metadata: (jobTemplate as Fields)['metadata'] };
  return { ...rest, spec: { ...others, template: short, jobTemplate: job } };
}

function podSpec(spec: Fields): object {
  const containers = (spec['containers'] as readonly Fields[]).map(({ name, env }) => ({ name, env }));
  const tolerations = (spec['tolerations'] as readonly Fields[] | undefined)?.filter(({ tolerationSeconds }) => tolerationSeconds !== 300);
  const volumes = (spec['volumes'] as readonly Fields[] | undefined)?.filter(
    (volume) => !/^(kube-api-access|default-token)-/.test(String(volume['name'])),
  );
  const kept = only(spec, ['hostname', 'subdomain', 'schedulingGroup', 'nodeName', 'affinity', 'schedulingGates', 'nodeSelector', 'restartPolicy']);
  return {
    ...kept,
    containers,
    tolerations: tolerations?.length === 0 ? undefined : tolerations,
    volumes: volumes?.length === 0 ? undefined : volumes,
  };
}

function only(fields: Fields, names: readonly string[]): object {
  return Object.fromEntries(names.map((name) => [name, fields[name]]));
}

function sortedSubset(subset: Fields): object {
  return { ...subset, addresses: sorted(subset['addresses']), notReadyAddresses: sorted(subset['notReadyAddresses']) };
}

/** In the order of their normal forms: upstream takes such lists from maps. */
function sorted(list: unknown): unknown {
  const items = list as readonly unknown[] | null | undefined;
  if (items === undefined || items === null) return items;
  const keyed = items.map((item) => ({ key: canonical(hidden(item, '\0')), item }));
  return keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)).map(({ item }) => item);
}

const secretFields = new Set(['resourceVersion', 'uid', 'managedFields', 'creationTimestamp']);
const namedValues: Readonly<Record<string, string>> = { clusterIP: '<ip>', clusterIPs: '<ips>', nodePort: '<port>', healthCheckNodePort: '<port>' };

/** Without what differs from one run to the next. */
export function hidden(value: unknown, namespace: string): unknown {
  if (typeof value === 'string') return hiddenText(value, namespace);
  if (Array.isArray(value)) return value.map((item) => hidden(item, namespace));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([name, field]) => field !== undefined && !secretFields.has(name));
  return Object.fromEntries(
    entries.map(([name, field]) => {
      const named = field === 'None' || JSON.stringify(field) === '["None"]' ? undefined : namedValues[name];
      return [hiddenText(name, namespace), named ?? hidden(field, namespace)];
    }),
  );
}

const letters = 'bcdfghjklmnpqrstvwxz2456789';
const patterns: readonly (readonly [RegExp, string])[] = [
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, '<uid>'],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, '<time>'],
  [/\b10\.77\.\d+\.\d+\b/g, '<podIP>'],
  // The minute of a CronJob's time zone.
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d/g, '<time>'],
  [/-\d{8}(?![a-z0-9])/g, '-<minute>'],
  // Names of revisions may look like one.
  [/(?<=\btick)-\d{10}(?![a-z0-9])/g, '-<second>'],
  [new RegExp(`(?<=[a-z0-9>]-)[${letters}]{5}(?![a-z0-9-])`, 'g'), '<5>'],
];

/** What upstream lists in the order of a Go map, which is another each time. */
const unordered = /(?<=multiple HPAs: \[)[^\]]*/g;

function hiddenText(text: string, namespace: string): string {
  const ordered = text.replaceAll(unordered, (list) => list.split(' ').toSorted().join(' '));
  return patterns.reduce((hiddenSoFar, [pattern, name]) => hiddenSoFar.replaceAll(pattern, name), ordered.replaceAll(namespace, '<ns>'));
}

const hashes: readonly (readonly [RegExp, string])[] = [
  [new RegExp(`-[${letters}]{6,10}(?=-<5>|-?[^a-z0-9-]|-?$)`, 'g'), '-<hash>'],
  [new RegExp(`("(?:pod-template-hash|controller-revision-hash)":)"[^"]*"`, 'g'), '$1"<hash>"'],
];

function masked(line: string): string {
  return comparesHashes ? line : hashes.reduce((text, [pattern, name]) => text.replaceAll(pattern, name), line);
}

/** JSON with sorted keys and without what is undefined. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).filter(([, field]) => field !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`).join(',')}}`;
}
