/** `problems` over the API: what is wrong right now, found when it is read. */
import type { Problem, ProblemSubject } from '../api/sim/v1alpha1/problem.ts';
import type { Node } from '../api/core/v1/types.gen.ts';
import { type KubeObject, parseGroupVersion } from '../apimachinery/object.ts';
import type { ComputedResource } from '../contracts/computed-resource.ts';
import type { FailingWebhook } from '../contracts/failing-webhook.ts';
import { causeChain } from '../history/causes.ts';
import { numberIn } from '../history/query-numbers.ts';
import type { HistoryRecorder } from '../history/recorder.ts';
import { messageField, scalarField } from '../kinds/sim/v1alpha1/schema-fields.ts';
import { virtualKind } from '../history/virtual-kind.ts';
import type { ProblemBoard, Suspect } from './board.ts';
import { detectorOf } from './detectors/index.ts';
import { findSilent } from './detectors/nodes.ts';
import { findFailing } from './detectors/webhooks.ts';
import type { World } from './finding.ts';
import { type Entry, groupEntries } from './grouping.ts';
import { Judged } from './judged.ts';
import { type Naming, showProblem } from './show.ts';

export interface ProblemSources {
  readonly recorder: HistoryRecorder;
  readonly board: ProblemBoard;
  /** CronJobs that are late, and missed. */
  late(): readonly Entry[];
  nowMs(): number;
  /** Of the store. */
  revision(): number;
  /** How long a silent node is believed. */
  graceMs(): number;
  stored(key: string): KubeObject | undefined;
  nodes(): readonly KubeObject[];
  /** `resource` with its group, e.g. `deployments.apps`. */
  find(resource: string, namespace: string | undefined, name: string): KubeObject | undefined;
  /** The resource of a kind with its group, and the kind of a resource. */
  resourceOf(apiVersion: string, kind: string): string | undefined;
  kindOf(resource: string): { readonly apiVersion: string; readonly kind: string; readonly isCustom: boolean } | undefined;
  /** Of the configuration that has a webhook of this name; `isIgnored`: requests go on without its word when it fails. */
  webhook(name: string): { readonly row: string; readonly object: KubeObject; readonly isIgnored: boolean } | undefined;
  /** Webhooks whose last call failed; `version` rises with them. */
  webhooks(): { readonly version: number; failing(): readonly FailingWebhook[] };
}

/** Of a list or a watch with `most`, so many that most suffer from. */
export function problemsResource(sources: ProblemSources): ComputedResource {
  const judged = new Judged();
  let known: { readonly place: string; readonly problems: readonly Problem[] } | undefined;
  // Who reads at one place of history reads the same.
  const all = (): readonly Problem[] => {
    const place = `${sources.revision()} ${sources.nowMs()} ${sources.webhooks().version}`;
    if (known?.place !== place) known = { place, problems: findProblems(sources, judged) };
    return known.problems;
  };
  const inside = (namespace: string | undefined) => (one: Problem) => namespace === undefined || one.metadata.namespace === namespace;
  return {
    kind: problemKind,
    get: (name, _query, namespace) => all().find((one) => one.metadata.name === name && inside(namespace)(one)),
    list: (query, namespace) =>
      all()
        .filter(inside(namespace))
        .slice(0, numberIn(query, 'most') ?? Number.POSITIVE_INFINITY),
  };
}

/** Those that most suffer from come first. */
function findProblems(sources: ProblemSources, judged = new Judged()): readonly Problem[] {
  const { recorder, board } = sources;
  recorder.catchUp();
  const world: World = {
    nowMs: sources.nowMs(),
    graceMs: sources.graceMs(),
    get: askedOnce((resource, namespace, name) => sources.find(resource, namespace, name)),
    warning: (uid) => board.warning(uid),
  };
  const suspects = judged.entries([...board.suspects()], {
    stored: (key) => sources.stored(key),
    judge: (suspect, object) => entryOf(suspect, object, world),
  });
  const known = new Set(suspects.map(({ row }) => row));
  const silent = sources
    .nodes()
    .map((node) => silentEntry(node, world))
    .filter((entry) => entry !== undefined && !known.has(entry.row)) as readonly Entry[];
  const failing = failingEntries(sources);
  const naming = { ...namingOf(sources), chain: (revision: number) => causeChain(recorder, revision) };
  const rows = { rowOf: (object: KubeObject) => rowOf(object, sources), owner: ownerIn(sources) };
  const problems = groupEntries([...suspects, ...silent, ...sources.late(), ...failing], rows).map((group) => showProblem(group, naming));
  return problems.sort(
    (a, b) => weightOf(b) - weightOf(a) || compare(a.status.since, b.status.since) || compare(a.status.subject.row, b.status.subject.row),
  );
}

/** Thousands of pods ask of the same node; of what lies in a namespace few ask twice. */
function askedOnce(find: World['get']): World['get'] {
  const known = new Map<string, Map<string, KubeObject | undefined>>();
  return (resource, namespace, name) => {
    if (namespace !== undefined) return find(resource, namespace, name);
    let named = known.get(resource);
    if (named === undefined) known.set(resource, (named = new Map()));
    if (!named.has(name)) named.set(name, find(resource, undefined, name));
    return named.get(name);
  };
}

function entryOf(suspect: Suspect, object: KubeObject, world: World): Entry | undefined {
  const finding = detectorOf(suspect.resource).find(object, world, suspect.sinceMs);
  if (finding === undefined) return undefined;
  const { row, revision } = suspect;
  return { row, object, finding, sinceMs: Math.min(finding.sinceMs ?? suspect.sinceMs, world.nowMs), revision };
}

function silentEntry(object: KubeObject, world: World): Entry | undefined {
  const finding = findSilent(object as Node, world);
  const { name = '', resourceVersion = '0' } = object.metadata;
  return finding === undefined
    ? undefined
    : { row: `nodes/${name}`, object, finding, sinceMs: finding.sinceMs ?? world.nowMs, revision: Number(resourceVersion) };
}

function ownerIn(sources: ProblemSources) {
  return (namespace: string | undefined, apiVersion: string, kind: string, name: string): KubeObject | undefined => {
    const resource = sources.resourceOf(apiVersion, kind);
    return resource === undefined ? undefined : sources.find(resource, namespace, name);
  };
}

function rowOf({ apiVersion, kind, metadata: { namespace, name = '' } }: KubeObject, sources: ProblemSources): string {
  const resource = sources.resourceOf(apiVersion, kind) ?? kind.toLowerCase();
  return namespace === undefined ? `${resource}/${name}` : `${resource}/${namespace}/${name}`;
}

/** Webhooks have a row of their own: one configuration may have several. */
const webhooks = 'webhooks/';

function failingEntries({ webhooks: known, webhook, nowMs }: ProblemSources): readonly Entry[] {
  return known()
    .failing()
    .flatMap((one) => {
      const found = webhook(one.name);
      // What lies ahead was heard before somebody went back in time.
      if (found === undefined || one.lastMs > nowMs()) return [];
      const { object, isIgnored } = found;
      const revision = Number(object.metadata.resourceVersion ?? 0);
      return [{ row: `${webhooks}${one.name}`, object, finding: findFailing(one, isIgnored), sinceMs: one.sinceMs, revision }];
    });
}

function namingOf(sources: ProblemSources): Pick<Naming, 'subject' | 'name'> {
  return {
    subject: (row) => subjectOf(row, sources),
    name: (row, { apiVersion, kind, name }) => {
      if (row.startsWith(webhooks)) return row.replace('s/', '-');
      const [resource = ''] = row.split('/');
      const group = parseGroupVersion(apiVersion)?.group ?? '';
      return `${kind.toLowerCase()}${sources.kindOf(resource)?.isCustom === true ? `.${group}` : ''}-${name}`;
    },
  };
}

function subjectOf(row: string, sources: ProblemSources): ProblemSubject {
  const known = row.startsWith(webhooks) ? (sources.webhook(row.slice(webhooks.length))?.row ?? row) : row;
  const [resource = '', ...rest] = known.split('/');
  const name = rest.at(-1) ?? '';
  const { apiVersion = '', kind = resource } = sources.kindOf(resource) ?? {};
  return { apiVersion, kind, ...(rest.length > 1 ? { namespace: rest[0] ?? '' } : {}), name, row: known };
}

function weightOf({ status: { affected } }: Problem): number {
  return affected?.count ?? 0;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

const prefix = 'dev.wavetank.sim.v1alpha1';

const problemKind = virtualKind('Problem', 'problems', true, [messageField('status', 2, `${prefix}.ProblemStatus`)], {
  schemas: [
    {
      name: `${prefix}.ProblemStatus`,
      fields: [
        messageField('subject', 1, `${prefix}.ProblemSubject`, { description: 'What is not as its owner wishes.' }),
        scalarField('reason', 2, 'string', { required: true, description: 'What is wrong, in a word.' }),
        scalarField('since', 3, 'time', { required: true, description: 'Since when, in virtual time.' }),
        scalarField('summary', 4, 'string', { required: true, description: 'What is wrong, in a sentence.' }),
        scalarField('cause', 5, 'json', { description: 'Where the chain of causes begins: text, revision, row.' }),
        scalarField('next', 6, 'json', { description: 'What will happen by itself: text, and at when it is known.' }),
        scalarField('affected', 7, 'json', { description: 'What else suffers from it: count, kinds, and the first rows.' }),
      ],
    },
    {
      name: `${prefix}.ProblemSubject`,
      fields: ['apiVersion', 'kind', 'namespace', 'name', 'row'].map((name, index) => scalarField(name, index + 1, 'string')),
    },
  ],
  columns: ['Name', 'Subject', 'Reason', 'Since', 'Affected', 'Summary', 'Next'].map((name) => ({ name, type: 'string' })),
  row: (object) => {
    const { metadata, status } = object as Problem;
    const { subject, reason, since, summary, next, affected } = status;
    const then = next === undefined ? '<none>' : next.at === undefined ? next.text : `${next.text} at ${next.at}`;
    return [metadata.name ?? '', `${subject.kind}/${subject.name}`, reason, since, String(affected?.count ?? 0), summary, then];
  },
});
