/**
 * Upstream's scheduling workloads as its own files describe them: the performance-config.yaml of each topic below
 * test/integration/scheduler_perf, read from the Go module of the release.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';

export type Params = Readonly<Record<string, number | string | boolean>>;

/** One entry of a workloadTemplate, its fields as upstream names them. */
export interface Operation {
  readonly opcode: string;
  readonly [field: string]: unknown;
}

export interface UpstreamWorkload {
  /** Folder below scheduler_perf: `misc`, `dra/extendedresource`. */
  readonly topic: string;
  /** `SchedulingBasic/5000Nodes_10000Pods`. */
  readonly name: string;
  readonly labels: readonly string[];
  /** Pods a second that upstream's CI asks for; 0 where it asks for none. */
  readonly threshold: number;
  readonly params: Params;
  readonly featureGates: Readonly<Record<string, boolean>>;
  readonly operations: readonly Operation[];
  readonly defaultPodTemplatePath?: string;
  /** Paths of templates are relative to it. */
  readonly folder: string;
}

interface TestCase {
  readonly name: string;
  readonly labels?: readonly string[];
  readonly featureGates?: Readonly<Record<string, boolean>>;
  readonly defaultPodTemplatePath?: string;
  readonly workloadTemplate: readonly Operation[];
  readonly workloads: readonly {
    readonly name: string;
    readonly labels?: readonly string[];
    readonly featureGates?: Readonly<Record<string, boolean>>;
    /** By topic where several share a file. */
    readonly threshold?: number | Readonly<Record<string, number>>;
    readonly params: Params;
  }[];
}

const fileName = 'performance-config.yaml';
/** What upstream's CI measures the throughput of. */
export const measured = 'performance';
const nodesMin = 1000;

/** Where `go mod download k8s.io/kubernetes@v1.36.3` puts them; build.sh of the peers does that. */
export function upstreamFolder(release: string): string {
  const modules = process.env['GOMODCACHE'] ?? join(process.env['GOPATH'] ?? join(homedir(), 'go'), 'pkg', 'mod');
  return join(modules, 'k8s.io', `kubernetes@v${release}`, 'test', 'integration', 'scheduler_perf');
}

export function readWorkloads(root: string): readonly UpstreamWorkload[] {
  if (!existsSync(root)) throw new Error(`${root} is not there: build.sh of the peers downloads it (go mod download k8s.io/kubernetes@v…)`);
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith(fileName));
  return files.sort().flatMap((path) => readTopic(root, dirname(path)));
}

function readTopic(root: string, topic: string): readonly UpstreamWorkload[] {
  const folder = join(root, topic);
  const cases = parse(readFileSync(join(folder, fileName), 'utf8')) as readonly TestCase[];
  return cases.flatMap((one) =>
    one.workloads.map((workload) => ({
      topic,
      name: `${one.name}/${workload.name}`,
      labels: [...(one.labels ?? []), ...(workload.labels ?? [])],
      threshold: typeof workload.threshold === 'object' ? (workload.threshold[topic] ?? 0) : (workload.threshold ?? 0),
      params: workload.params,
      featureGates: { ...one.featureGates, ...workload.featureGates },
      operations: one.workloadTemplate,
      ...(one.defaultPodTemplatePath === undefined ? {} : { defaultPodTemplatePath: one.defaultPodTemplatePath }),
      folder,
    })),
  );
}

/**
 * Those whose name is one of the given, or of a label those whose name begins with one and a slash. Without names all of the label, of
 * upstream's CI of throughput those with a thousand nodes and more.
 */
export function chosen(workloads: readonly UpstreamWorkload[], names: readonly string[], label: string): readonly UpstreamWorkload[] {
  const unknown = names.filter((name) => !workloads.some((one) => isNamed(one, name)));
  if (unknown.length > 0) throw new Error(`no workload ${unknown.join(', ')}`);
  const labelled = workloads.filter((one) => one.labels.includes(label));
  if (names.length === 0) return label === measured ? labelled.filter((one) => nodesOf(one) >= nodesMin) : labelled;
  return workloads.filter((one) => names.some((name) => one.name === name || (isNamed(one, name) && labelled.includes(one))));
}

function isNamed({ name }: UpstreamWorkload, wanted: string): boolean {
  return name === wanted || name.startsWith(`${wanted}/`);
}

/** All that its operations create. */
export function nodesOf({ operations, params }: UpstreamWorkload): number {
  return operations.filter(({ opcode }) => opcode === 'createNodes').reduce((sum, operation) => sum + numberIn(operation, 'count', params), 0);
}

/** A field that is given itself or, as `fieldParam`, names one of the workload's parameters. */
export function numberIn(operation: Operation, field: string, params: Params, otherwise = 0): number {
  const name = operation[`${field}Param`];
  return Number(typeof name === 'string' ? params[name.slice(1)] : (operation[field] ?? otherwise));
}

export function textIn(operation: Operation, field: string, params: Params): string | undefined {
  const name = operation[`${field}Param`];
  const value = typeof name === 'string' ? params[name.slice(1)] : operation[field];
  return value === undefined ? undefined : String(value);
}
