/**
 * Plays one of upstream's scheduling workloads in a cluster in process whose nodes nobody runs. Mirrors
 * test/integration/scheduler_perf/executor.go.
 */
import { matchesGlob } from 'node:path';
import type { Node } from '../../../engine/api/core/v1/types.gen.ts';
import { aCluster } from '../../support/cluster.ts';
import { Api, hasNode, isAttempted, Placements } from './api.ts';
import { Background } from './background.ts';
import { numberIn, type Operation, textIn, type UpstreamWorkload } from './config.ts';
import { allocateClaims, publishSlices } from './devices.ts';
import { Setup } from './setup.ts';
import { Templates } from './templates.ts';

/** What was measured from one point to another. */
export interface Section {
  /** Pods that got a node. */
  readonly pods: number;
  readonly wallSeconds: number;
  /** Of all threads, and of that which runs the cluster. */
  readonly cpuSeconds: number;
  readonly mainSeconds: number;
  readonly virtualSeconds: number;
}

type Labels = Readonly<Record<string, string>>;

const stepMs = 100;
/** While something goes on beside it, it is looked for as often. */
const backgroundStepMs = 10;
const virtualPatienceMs = 3_600_000;
const churnEveryMs = 500;
/** Where upstream's CI asks for no number of pods a second. */
const defaultThreshold = 250;

/** Upstream runs these beside the scheduler; ours also makes the accounts that pods of a namespace need. */
const controllers = ['serviceaccount', 'garbagecollector', 'namespace'];
const claimController = 'resourceclaim-controller';
const claimsGate = 'DynamicResourceAllocation';
/** Which a release serves when asked. */
const deviceVersions = ['v1', 'v1beta2', 'v1beta1', 'v1alpha3'];

export async function play(workload: UpstreamWorkload): Promise<{ readonly sections: readonly Section[]; readonly digest: string }> {
  const chosen = [...controllers, ...(workload.featureGates[claimsGate] === true ? [claimController] : [])];
  // Nobody finds that the nodes have no heartbeat. How a scheduler of upstream's calls is not a choice here.
  const gates = Object.entries(workload.featureGates).filter(([name]) => !name.startsWith('Scheduler'));
  const made = await aCluster({
    nodes: 0,
    options: {
      controllers: chosen.join(','),
      'kube-api-qps': '0',
      'scheduler-kube-api-qps': '0',
      'runtime-config': deviceVersions.map((version) => `resource.k8s.io/${version}=true`).join(','),
      'feature-gates': gates.map(([name, on]) => `${name}=${on}`).join(','),
    },
  });
  const player = new Player(workload, new Api(made));
  for (const [place, operation] of workload.operations.entries()) await player.run(operation, place);
  return { sections: player.sections, digest: made.cluster.digest };
}

class Player {
  readonly sections: Section[] = [];
  readonly #workload: UpstreamWorkload;
  readonly #api: Api;
  readonly #templates: Templates;
  readonly #setup: Setup;
  readonly #background = new Background();
  readonly #placements: Placements;
  readonly #namespaces = new Set<string>();
  /** Pods that a barrier waits for, by namespace. */
  readonly #awaited = new Map<string, number>();
  #measured: { readonly namespaces: readonly string[]; readonly end: () => Section; readonly placements: Placements } | undefined;

  constructor(workload: UpstreamWorkload, api: Api) {
    this.#workload = workload;
    this.#api = api;
    this.#templates = new Templates(workload.folder);
    this.#setup = new Setup(api, this.#templates, workload.params);
    this.#placements = new Placements(api.made);
  }

  async run(operation: Operation, place: number): Promise<void> {
    const { params } = this.#workload;
    const namespace = (operation['namespace'] as string | undefined) ?? `namespace-${place}`;
    switch (operation.opcode) {
      case 'createNodes':
        this.#setup.createNodes(operation, place);
        return this.#pass(stepMs);
      case 'createNamespaces':
        return this.#createNamespaces(operation);
      case 'createPods':
        return this.#createPods(operation, namespace);
      case 'createPodSets':
        for (let index = 0; index < numberIn(operation, 'count', params); index++)
          await this.#createPods(operation['createPodsOp'] as Operation, `${String(operation['namespacePrefix'])}-${index}`);
        return;
      case 'deletePods':
        return this.#deletePods(operation, namespace);
      case 'churn':
        return this.#churn(operation, namespace);
      case 'barrier':
        return this.#barrier(operation);
      case 'sleep':
        return this.#pass(milliseconds(textIn(operation, 'duration', params)));
      case 'createAny':
        return this.#createAny(operation);
      case 'updateAny':
        return this.#updateAny(operation);
      case 'createResourceDriver':
        publishSlices(
          this.#api,
          String(operation['driverName']),
          this.#nodes(String(operation['nodes'])),
          numberIn(operation, 'maxClaimsPerNode', params),
        );
        return this.#pass(stepMs);
      case 'allocResourceClaims':
        allocateClaims(this.#api, namespace);
        return this.#pass(stepMs);
      case 'startCollectingMetrics':
        return this.#startMeasuring(operation['namespaces'] as readonly string[], operation['labelSelector'] as Labels | undefined);
      case 'stopCollectingMetrics':
        return this.#endMeasuring();
      default:
        throw new Error(`operation ${operation.opcode} is not known`);
    }
  }

  #nodes(glob: string): readonly string[] {
    const nodes = this.#api.made.cluster.stored('minions') as readonly Node[];
    return nodes.map(({ metadata }) => metadata.name ?? '').filter((name) => matchesGlob(name, glob));
  }

  #ensureNamespace(name: string): void {
    if (this.#namespaces.has(name) || name === 'default') return;
    this.#namespaces.add(name);
    this.#api.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }, '');
  }

  #createNamespaces(operation: Operation): Promise<void> {
    const path = operation['namespaceTemplatePath'] as string | undefined;
    const template = path === undefined ? { apiVersion: 'v1', kind: 'Namespace', metadata: {} } : this.#templates.read(path);
    for (let index = 0; index < numberIn(operation, 'count', this.#workload.params); index++) {
      const name = `${String(operation['prefix'])}-${index}`;
      this.#namespaces.add(name);
      this.#api.create({ ...template, metadata: { ...template.metadata, name } }, '');
    }
    return this.#pass(stepMs);
  }

  async #createPods(operation: Operation, namespace: string): Promise<void> {
    const { params } = this.#workload;
    const count = numberIn(operation, 'count', params);
    // Admission waits for the account of a namespace.
    if (!this.#namespaces.has(namespace)) await this.#pass(stepMs, this.#ensureNamespace(namespace));
    const path = (operation['podTemplatePath'] as string | undefined) ?? this.#workload.defaultPodTemplatePath;
    const create = (): void => {
      for (let index = 0; index < count; index++) this.#setup.createPod(operation, path, namespace, index, count);
    };
    if (operation['collectMetrics'] === true) this.#startMeasuring([namespace]);
    const before = this.#placements.count([namespace]);
    create();
    if (operation['skipWaitToCompletion'] === true) this.#awaited.set(namespace, (this.#awaited.get(namespace) ?? 0) + count);
    else if (textIn(operation, 'steadyState', params) === 'true')
      await this.#goOnCreating(namespace, count, milliseconds(textIn(operation, 'duration', params)), create);
    else await this.#until(() => this.#placements.count([namespace]) - before >= count);
    if (operation['collectMetrics'] === true) this.#endMeasuring();
  }

  /** Whenever so many more have been placed, all of them go and new ones come. */
  async #goOnCreating(namespace: string, count: number, durationMs: number, create: () => void): Promise<void> {
    const endMs = this.#api.made.cluster.loop.nowMs() + durationMs;
    let wanted = this.#placements.count([namespace]) + count;
    while (this.#api.made.cluster.loop.nowMs() < endMs) {
      await this.#pass(backgroundStepMs);
      if (this.#placements.count([namespace]) < wanted) continue;
      wanted += count;
      this.#api.made.call('DELETE', `/api/v1/namespaces/${namespace}/pods`, { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: 0 });
      create();
    }
  }

  async #deletePods(operation: Operation, namespace: string): Promise<void> {
    const { call } = this.#api.made;
    const perSecond = Number(operation['deletePodsPerSecond'] ?? 0);
    const names = this.#api.pods(namespace, operation['labelSelector'] as Labels | undefined).map(({ metadata }) => metadata.name ?? '');
    const act = (): boolean => {
      const name = names.shift();
      // Some may have been deleted by others meanwhile.
      if (name !== undefined) this.#api.made.ask('DELETE', `/api/v1/namespaces/${namespace}/pods/${name}`);
      return names.length > 0;
    };
    if (perSecond === 0) return void call('DELETE', `/api/v1/namespaces/${namespace}/pods`);
    this.#background.start({ everyMs: 1000 / perSecond, act });
    if (operation['skipWaitToCompletion'] !== true) await this.#until(() => names.length === 0);
  }

  #churn(operation: Operation, namespace: string): Promise<void> {
    this.#ensureNamespace(namespace);
    const templates = (operation['templatePaths'] as readonly string[]).map((path) => this.#setup.asHere(this.#templates.read(path)));
    const everyMs = Number(operation['intervalMilliseconds'] ?? churnEveryMs);
    const number = Number(operation['number'] ?? 0);
    const places = templates.map(() => new Array<string | undefined>(number));
    let turn = 0;
    const create = (): boolean => {
      for (const template of templates) this.#api.create(template, namespace);
      return number === 0 || ++turn < number;
    };
    const recreate = (): boolean => {
      for (const [index, template] of templates.entries()) {
        const own = places[index] as (string | undefined)[];
        const known = own[turn % number];
        if (known === undefined) own[turn % number] = this.#api.create(template, namespace);
        else {
          this.#api.made.call('DELETE', `${this.#api.path(template, namespace)}/${known}`);
          own[turn % number] = undefined;
        }
      }
      turn++;
      return true;
    };
    this.#background.start({ everyMs, act: operation['mode'] === 'recreate' ? recreate : create });
    return this.#pass(stepMs);
  }

  async #barrier(operation: Operation): Promise<void> {
    const labels = operation['labelSelector'] as Labels | undefined;
    const namespaces = (operation['namespaces'] as readonly string[] | undefined) ?? [...this.#awaited.keys()];
    const isThere = operation['stageRequirement'] === 'Attempted' ? isAttempted : hasNode;
    const has = (name: string): boolean => this.#api.pods(name, labels).every((pod) => isThere(pod) || pod.metadata.deletionTimestamp !== undefined);
    await this.#until(() => namespaces.every(has));
    if (isThere === hasNode) for (const name of namespaces) this.#awaited.delete(name);
  }

  #createAny(operation: Operation): Promise<void> {
    const namespace = (operation['namespace'] as string | undefined) ?? '';
    if (namespace !== '') this.#ensureNamespace(namespace);
    const count = numberIn(operation, 'count', this.#workload.params, operation['countParam'] === undefined ? 1 : 0);
    for (let index = 0; index < count; index++)
      this.#api.create(this.#setup.asHere(this.#templates.read(String(operation['templatePath']), index, count)), namespace);
    return this.#pass(stepMs);
  }

  async #updateAny(operation: Operation): Promise<void> {
    const namespace = (operation['namespace'] as string | undefined) ?? '';
    const count = numberIn(operation, 'count', this.#workload.params, operation['countParam'] === undefined ? 1 : 0);
    const [subresource] = (operation['subresources'] as readonly string[] | undefined) ?? [];
    let index = 0;
    const act = (): boolean => {
      const object = this.#setup.asHere(this.#templates.read(String(operation['templatePath']), index++, count));
      const path = `${this.#api.path(object, namespace)}/${object.metadata.name ?? ''}`;
      this.#api.made.call('PUT', subresource === undefined ? path : `${path}/${subresource}`, object);
      this.#api.made.call('PUT', `${path}/status`, object);
      return index < count;
    };
    const perSecond = Number(operation['updatePerSecond'] ?? 0);
    if (perSecond === 0) while (act());
    else this.#background.start({ everyMs: 1000 / perSecond, act });
    await this.#until(() => index >= count);
  }

  #startMeasuring(namespaces: readonly string[], labels?: Labels): void {
    const { made } = this.#api;
    const placements = labels === undefined ? this.#placements : new Placements(made, labels);
    const placed = placements.count(namespaces);
    const [cpu, main, wall, virtualMs] = [process.cpuUsage(), process.threadCpuUsage(), performance.now(), made.cluster.loop.nowMs()];
    const end = (): Section => ({
      pods: placements.count(namespaces) - placed,
      wallSeconds: (performance.now() - wall) / 1000,
      cpuSeconds: seconds(process.cpuUsage(cpu)),
      mainSeconds: seconds(process.threadCpuUsage(main)),
      virtualSeconds: (made.cluster.loop.nowMs() - virtualMs) / 1000,
    });
    this.#measured = { namespaces, end, placements };
  }

  #endMeasuring(): void {
    if (this.#measured === undefined) throw new Error('nothing is measured');
    this.sections.push(this.#measured.end());
    this.#measured = undefined;
  }

  async #until(isDone: () => boolean): Promise<void> {
    const { loop } = this.#api.made.cluster;
    const endMs = loop.nowMs() + virtualPatienceMs;
    while (!isDone() && loop.nowMs() < endMs) await this.#pass(this.#background.isIdle ? stepMs : backgroundStepMs);
  }

  /** `_done` is what was done just before. */
  async #pass(ms: number, _done?: void): Promise<void> {
    const count = (): number => this.#measured?.placements.count(this.#measured.namespaces) ?? 0;
    const before = count();
    await this.#api.made.advance(ms);
    this.#background.pass(ms + ((count() - before) * 1000) / (this.#workload.threshold || defaultThreshold));
  }
}

function seconds({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1_000_000;
}

/** Of Go's durations those that the workloads have: `10s`, `500ms`, `1m`. */
function milliseconds(duration = '0s'): number {
  const [, number = '0', unit = 's'] = /^(\d+)(ms|s|m)$/.exec(duration) ?? [];
  return Number(number) * ({ ms: 1, s: 1000, m: 60_000 }[unit] ?? 0);
}
