/**
 * One cluster, put together: the composition root and the engine's only public door. It holds everything that lives (law 6) and
 * nothing else does. The host gives it wall time, chance for keys, and paces it; see `host/`.
 */
import { createSchemaRegistry } from '../api/schemas.ts';
import type { Node, Service } from '../api/core/v1/types.gen.ts';
import { nodeAuthorizer, unionOf } from '../apiserver/auth/node-authorizer.ts';
import { RbacAuthorizer } from '../apiserver/auth/rbac.ts';
import { createDefaultCodec } from '../apiserver/default-codec.ts';
import { HttpApi } from '../apiserver/http.ts';
import { createOpenApi } from '../apiserver/openapi/openapi.ts';
import type { HttpRequest, HttpResponse } from '../apiserver/http-types.ts';
import { type ApiServer, createApiServer } from '../apiserver/pipeline.ts';
import type { VirtualResource } from '../apiserver/virtual.ts';
import { assert } from '../base/assert.ts';
import { timerCause } from '../base/causes.ts';
import { Random } from '../base/random.ts';
import { type Component, type LoopHost, TaskLoop } from '../base/task-loop.ts';
import { formatGroupVersion, type JsonValue, type KubeObject } from '../apimachinery/object.ts';
import type { KnownToken } from '../apimachinery/access.ts';
import type { ServiceAllocator } from '../apimachinery/kind.ts';
import type { ApiRequest, ApiResult, Identity } from '../apimachinery/request.ts';
import { StatusError } from '../apimachinery/status.ts';
import { isNodeReady } from '../component-helpers/node.ts';
import type { Client } from '../client/client.ts';
import { CorrelatingRecorder } from '../client/correlating-recorder.ts';
import { createLoopbackClient } from '../client/loopback-client.ts';
import { LoopbackInformers } from '../client/loopback-informers.ts';
import { RateLimiter } from '../client/rate-limiter.ts';
import { resourceType } from '../client/resources.ts';
import { controllers } from '../controllers/index.gen.ts';
import { ControllerRunner } from '../controllers/runner.ts';
import { createFaults } from '../faults/controller.ts';
import { SchedulingDecisions } from '../history/decisions.ts';
import { HistoryDigest } from '../history/digest.ts';
import { createHistoryRecorder, type HistoryRecorder } from '../history/recorder.ts';
import { createHistoryResources } from '../history/virtual-kinds.ts';
import { createServiceAllocator } from '../kinds/core/v1/service-allocation.ts';
import { kinds } from '../kinds/index.gen.ts';
import { createNodes, type Nodes } from '../nodes/kubelets.ts';
import { createMachinery } from '../registry/default-machinery.ts';
import { createResourceRegistry, type ResourceRegistry } from '../registry/resource-registry.ts';
import type { TokenSigner } from '../registry/token.ts';
import { createScenarioRunner } from '../scenarios/runner.ts';
import { createScheduler, type Scheduler } from '../scheduler/scheduler.ts';
import { createStore } from '../store/memory-store.ts';
import type { Change, Store } from '../store/store.ts';
import { createAdmission } from './admission-order.ts';
import { bootstrapObjects } from './bootstrap-objects.ts';
import { Retention } from './event-ttl.ts';
import {
  apiServerIdentity,
  controllerIdentity,
  controllerManagerIdentity,
  faultsIdentity,
  kubeletIdentity,
  machinesIdentity,
  scenariosIdentity,
  schedulerIdentity,
  userAgent,
} from './identities.ts';
import { controllerOptions, isControllerEnabled, Settings } from './settings.ts';

export interface ClusterConfig {
  readonly name: string;
  readonly seed: number;
  readonly startMs: number;
  readonly nodes: number;
  readonly zones: number;
  /** Options under their flag names, where they differ from the defaults. */
  readonly options: Readonly<Record<string, string>>;
}

export const defaultConfig: Omit<ClusterConfig, 'startMs'> = { name: 'wavetank', seed: 1, nodes: 3, zones: 3, options: {} };
export const region = 'sim';
/** Scenarios and tests start here unless they say otherwise. */
export const documentedStartMs = Date.UTC(2026, 0, 1);

/** What the outside lends: wall time for slices, hashing and signing. None of it enters history. */
export interface ClusterHost extends LoopHost {
  /** SHA-256 as hex. */
  hash(text: string): string;
  readonly rootCaPem: string;
  readonly tokenSigner?: TokenSigner;
  /** Whose bearer token it is; for TokenReview. */
  knownToken?(token: string): KnownToken | undefined;
  /** Computed resources of the host, e.g. `clocks`. */
  virtual?(cluster: Cluster): readonly VirtualResource[];
  /** `127.0.0.1:6443`, as discovery names it. */
  readonly address?: string;
  /** Something worth a line in the log: a reconcile that failed, an event that was refused. */
  log?(line: string): void;
}

const readyTimeoutMs = 300_000;
const readyStepMs = 250;
const startupTimer = 'startup';

export class Cluster {
  readonly config: ClusterConfig;
  readonly settings: Settings;
  readonly loop: TaskLoop;
  readonly random: Random;
  readonly store: Store<KubeObject>;
  readonly registry: ResourceRegistry;
  readonly api: ApiServer;
  readonly history: HistoryRecorder;
  readonly decisions = new SchedulingDecisions();
  readonly nodes: Nodes;
  readonly scheduler: Scheduler;
  readonly #host: ClusterHost;
  readonly #digest: HistoryDigest;
  readonly #http: HttpApi;
  readonly #runners: ControllerRunner[] = [];
  readonly #informers: LoopbackInformers[] = [];
  readonly #components: Component[] = [];
  readonly #savers = new Map<string, { save(): JsonValue; restore(saved: JsonValue): void }>();
  readonly #retention: Retention;
  #rbacGeneration = 0;

  constructor(config: ClusterConfig, host: ClusterHost) {
    this.config = config;
    this.#host = host;
    this.settings = new Settings(config.options);
    this.loop = new TaskLoop(config.startMs, host);
    this.random = new Random(config.seed);
    this.store = createStore<KubeObject>();
    this.#digest = new HistoryDigest({ hash: (text) => host.hash(text), placeholders: [JSON.stringify(host.rootCaPem).slice(1, -1)] });
    this.history = createHistoryRecorder({ resourceOf: (group, kind) => this.registry.table.list().find((entry) => entry.kind.kind === kind && entry.kind.group === group)?.kind.plural, startMs: config.startMs });
    this.store.watch({ prefix: '', onChanges: (changes) => changes.forEach((change) => this.#onChange(change)) });
    const schemas = createSchemaRegistry(kinds.flatMap((kind) => [...(typeof kind.schema === 'string' ? [] : [kind.schema]), ...(kind.schemas ?? [])]));
    const gates = this.settings.map('feature-gates');
    const rbac = this.#createRbac();
    const authorizer = unionOf(nodeAuthorizer, rbac);
    this.registry = createResourceRegistry({
      store: this.store,
      schemas,
      kinds: this.#servedKinds(),
      machinery: createMachinery(schemas),
      clock: this.loop,
      random: this.random.stream('apiserver'),
      services: this.#createServiceAllocator(),
      featureEnabled: (gate) => gates.get(gate) === 'true',
      access: {
        authorize: (identity, attributes) => authorizer.authorize(identity, attributes),
        rulesOf: (identity, namespace) => rbac.rulesOf(identity, namespace),
        knownToken: (token) => host.knownToken?.(token),
      },
      ...(host.tokenSigner === undefined ? {} : { tokenSigner: host.tokenSigner }),
    });
    this.api = createApiServer({
      registry: this.registry,
      authorizer,
      admission: createAdmission(this.settings, this.random, (prefix) => this.stored(prefix)),
      virtual: [
        ...createHistoryResources({ recorder: this.history, decisions: this.decisions, nowMs: () => this.loop.nowMs() }),
        ...(host.virtual?.(this) ?? []),
      ],
    });
    const documents = createOpenApi({ server: this.api, schemas, hash: (text) => host.hash(text) });
    this.#http = new HttpApi({ server: this.api, codec: createDefaultCodec(schemas), schemas, authorizer, documents, kubelets: lazily(() => this.nodes), ...(host.address === undefined ? {} : { address: host.address }) });
    this.nodes = this.#createNodes();
    this.scheduler = this.#createScheduler();
    this.#createControllers();
    this.#createSimulation();
    this.#retention = new Retention({ loop: this.loop, store: this.store, eventTtlMs: this.settings.milliseconds('event-ttl'), compactionMs: this.settings.milliseconds('etcd-compaction-interval') });
    this.#components.push(this.#retention, this.history);
    this.#savers.set('digest', { save: () => this.#digest.save(), restore: (saved) => this.#digest.restore(saved as string) });
    this.#savers.set('decisions', { save: () => this.decisions.save(), restore: (saved) => this.decisions.restore(saved) });
  }

  /** Brings a new cluster up to the instant at which the API answers and every node is Ready, as fast as possible. */
  async start(): Promise<void> {
    this.loop.enter(() => this.#bootstrap());
    for (const informers of this.#informers) informers.start();
    await this.loop.run(this.loop.nowMs() + readyStepMs);
    this.loop.enter(() => {
      this.nodes.start();
      this.scheduler.start();
      for (const runner of this.#runners) runner.start();
      this.#retention.start();
    });
    const deadlineMs = this.loop.nowMs() + readyTimeoutMs;
    while (!this.#ready()) {
      assert(this.loop.nowMs() < deadlineMs, 'nodes become Ready within five virtual minutes');
      await this.loop.run(this.loop.nowMs() + readyStepMs);
    }
  }

  /** The API over HTTP, for reads and for writes that came through the input gate. */
  handleHttp(request: HttpRequest): HttpResponse {
    return this.#http.handle(request);
  }

  /** A request without HTTP, e.g. of the library. Writes go through the input gate. */
  handle(request: ApiRequest): ApiResult {
    return this.api.handle(request);
  }

  /** Stored objects below a prefix such as `pods`. */
  stored(prefix: string): readonly KubeObject[] {
    return this.store.range({ prefix: `/registry/${prefix}/` }).items.map((item) => item.value);
  }

  get digest(): string {
    return this.#digest.value;
  }

  /** Plain data of everything that is remembered (law 9). Asserts a quiet instant. */
  save(): JsonValue {
    const saved: Record<string, JsonValue> = {};
    for (const component of this.#components) saved[component.name] = component.save();
    for (const [name, saver] of this.#savers) saved[name] = saver.save();
    return { loop: this.loop.save(), random: this.random.save(), store: this.store.checkpoint(), components: saved } as unknown as JsonValue;
  }

  /** Makes a cluster that was just constructed with the same configuration go on where `save` was called. */
  restore(value: JsonValue): void {
    const saved = value as unknown as SavedCluster;
    this.store.load(saved.store);
    this.random.restore(saved.random);
    this.loop.restore(saved.loop);
    this.#rbacGeneration++;
    for (const informers of this.#informers) informers.restore();
    for (const component of this.#components) component.restore(mustHave(saved.components, component.name));
    for (const [name, saver] of this.#savers) saver.restore(mustHave(saved.components, name));
  }

  #onChange(change: Change<KubeObject>): void {
    this.#digest.onChange(change);
    this.history.onChange(change);
  }

  #servedKinds(): typeof kinds {
    const config = this.settings.map('runtime-config');
    const on = (text: string | undefined): boolean => text === 'true' || text === '1' || text === '';
    return kinds.filter((kind) => {
      const groupVersion = formatGroupVersion(kind);
      const said = config.get(groupVersion) ?? config.get(kind.group === '' ? `api/${kind.version}` : groupVersion) ?? (/alpha/.test(kind.version) ? config.get('api/alpha') : /beta/.test(kind.version) ? config.get('api/beta') : undefined) ?? config.get('api/all');
      if (said !== undefined) return on(said);
      return kind.extensions?.['offByDefault'] !== true;
    });
  }

  #createServiceAllocator(): ServiceAllocator {
    const [nodePortMin = 0, nodePortMax = 0] = this.settings.text('service-node-port-range').split('-').map(Number);
    const stream = this.random.stream('apiserver/services');
    const ranges = { clusterIps: this.settings.text('service-cluster-ip-range'), nodePortMin, nodePortMax };
    return createServiceAllocator(() => this.stored('services/specs') as readonly Service[], ranges, (below) => stream.integer(below));
  }

  #createRbac(): RbacAuthorizer {
    const prefixes = ['clusterroles', 'clusterrolebindings', 'roles', 'rolebindings'];
    for (const prefix of prefixes) this.store.watch({ prefix: `/registry/${prefix}/`, onChanges: () => void this.#rbacGeneration++ });
    return new RbacAuthorizer({
      generation: () => this.#rbacGeneration,
      clusterRoles: () => this.stored('clusterroles') as never,
      clusterRoleBindings: () => this.stored('clusterrolebindings') as never,
      roles: () => this.stored('roles') as never,
      roleBindings: () => this.stored('rolebindings') as never,
    });
  }

  #createInformers(identity: Identity, component: string): LoopbackInformers {
    const informers = new LoopbackInformers({
      pipeline: this.api,
      loop: this.loop,
      identity,
      userAgent: userAgent(component),
      component,
      latency: this.random.stream(`latency/watch/${component}`),
    });
    this.#informers.push(informers);
    return informers;
  }

  #createClient(identity: Identity, component: string, agent: string, limiter?: RateLimiter): Client {
    const latency = this.random.stream(`latency/${component}`);
    return createLoopbackClient({ pipeline: this.api, loop: this.loop, identity, userAgent: userAgent(agent), component, latency, ...(limiter === undefined ? {} : { limiter }) });
  }

  #createLimiter(name: string, prefix = ''): RateLimiter {
    const limiter = new RateLimiter(this.settings.number(`${prefix}kube-api-qps`), this.settings.number(`${prefix}kube-api-burst`));
    this.#savers.set(`limiter/${name}`, { save: () => limiter.save() as never, restore: (saved) => limiter.restore(saved as never) });
    return limiter;
  }

  #createRecorder(client: Client, component: string, host?: string): CorrelatingRecorder {
    const recorder = new CorrelatingRecorder({ loop: this.loop, client, component, ...(host === undefined ? {} : { host }) });
    this.#savers.set(`recorder/${component}${host === undefined ? '' : `/${host}`}`, recorder);
    return recorder;
  }

  #createNodes(): Nodes {
    const component = 'kubelets';
    const informers = this.#createInformers(machinesIdentity, component);
    const created = createNodes({
      loop: this.loop,
      clientFor: (node) => this.#createClient(kubeletIdentity(node), component, 'kubelet'),
      poolClient: this.#createClient(machinesIdentity, component, 'wavetank-machines'),
      informers,
      recorderFor: (node) => this.#createRecorder(this.#createClient(kubeletIdentity(node), component, 'kubelet'), 'kubelet', node),
      random: this.random,
      options: { clusterCidr: this.settings.text('cluster-cidr'), leaseDurationSeconds: this.settings.number('node-lease-duration-seconds') },
      onLog: (record) => this.#digest.onLog(record),
    });
    this.#add(created);
    return created;
  }

  #createScheduler(): Scheduler {
    const component = 'kube-scheduler';
    const client = this.#createClient(schedulerIdentity, component, component, this.#createLimiter(component, 'scheduler-'));
    const eventClient = this.#createClient(schedulerIdentity, component, component);
    const scheduler = createScheduler({
      loop: this.loop,
      client,
      informers: this.#createInformers(schedulerIdentity, component),
      recorder: this.#createRecorder(eventClient, this.settings.text('scheduler-name')),
      random: this.random.stream(component),
      options: {
        schedulerName: this.settings.text('scheduler-name'),
        podInitialBackoffSeconds: this.settings.number('pod-initial-backoff-seconds'),
        podMaxBackoffSeconds: this.settings.number('pod-max-backoff-seconds'),
        percentageOfNodesToScore: this.settings.number('percentage-of-nodes-to-score'),
      },
      onDecision: (record) => {
        this.#digest.onDecision(record);
        this.decisions.onDecision(record);
      },
    });
    this.#add(scheduler);
    return scheduler;
  }

  #createControllers(): void {
    const enabled = this.settings.list('controllers');
    const options = controllerOptions(this.settings, this.#host.rootCaPem);
    const informers = this.#createInformers(controllerManagerIdentity, 'kube-controller-manager');
    const deletable = this.#deletableResources();
    for (const definition of controllers) {
      if (!isControllerEnabled(enabled, [definition.name, ...definition.aliases])) continue;
      const component = `controller/${definition.name}`;
      const identity = controllerIdentity(definition.serviceAccount);
      const runner = new ControllerRunner({
        definition,
        loop: this.loop,
        client: this.#createClient(identity, component, 'kube-controller-manager', this.#createLimiter(component)),
        informers,
        recorder: this.#createRecorder(this.#createClient(identity, component, 'kube-controller-manager'), definition.eventSource),
        random: this.random.stream(component),
        options,
        deletableResources: () => deletable,
        onError: (controller, key, error) => this.#host.log?.(`${controller}: ${key}: ${error instanceof StatusError ? error.status.message : error.message}`),
      });
      this.#runners.push(runner);
      this.#components.push(runner);
    }
  }

  #createSimulation(): void {
    this.#add(
      createFaults({
        loop: this.loop,
        client: this.#createClient(faultsIdentity, 'faults', 'wavetank-faults'),
        informers: this.#createInformers(faultsIdentity, 'faults'),
        points: this.nodes,
      }),
    );
    this.#add(
      createScenarioRunner({
        loop: this.loop,
        client: this.#createClient(scenariosIdentity, 'scenarios', 'wavetank-scenario'),
        informers: this.#createInformers(scenariosIdentity, 'scenarios'),
        digest: () => this.digest,
      }),
    );
  }

  #add(component: Component): void {
    this.loop.register(component);
    this.#components.push(component);
  }

  /** What the garbage collector and the namespace controller can list, watch and delete. */
  #deletableResources(): readonly ReturnType<typeof resourceType>[] {
    return this.registry.table
      .list()
      .filter(({ kind, verbs }) => kind.storage === undefined && verbs.includes('list') && verbs.includes('watch') && verbs.includes('delete'))
      .map(({ kind }) => resourceType(kind.group, kind.version, kind.plural, kind.kind, kind.namespaced));
  }

  #bootstrap(): void {
    const { nodes, zones } = this.config;
    for (const body of bootstrapObjects({ nodes, zones, region, serviceCidr: this.settings.text('service-cluster-ip-range') })) {
      const { group, version, plural } = this.#kindOf(body);
      const { namespace } = body.metadata;
      this.api.handle({
        verb: 'create',
        group,
        version,
        resource: plural,
        ...(namespace === undefined ? {} : { namespace }),
        identity: apiServerIdentity,
        userAgent: userAgent('kube-apiserver'),
        causes: [timerCause('apiserver', startupTimer)],
        body,
        trusted: true,
      });
    }
  }

  #kindOf(object: KubeObject): (typeof kinds)[number] {
    const kind = kinds.find((entry) => entry.kind === object.kind && formatGroupVersion(entry) === object.apiVersion);
    assert(kind, `kind ${object.apiVersion} ${object.kind}`);
    return kind;
  }

  get #untaints(): boolean {
    return this.#runs('controller/node-lifecycle-controller');
  }

  get #hasAccounts(): boolean {
    return this.#runs('controller/serviceaccount-controller');
  }

  #runs(name: string): boolean {
    return this.#runners.some((runner) => runner.name === name);
  }

  #ready(): boolean {
    const found = this.stored('minions') as readonly Node[];
    const account = this.store.get('/registry/serviceaccounts/default/default');
    return found.length >= this.config.nodes && found.every((node) => isNodeReady(node) && (!this.#untaints || (node.spec?.taints ?? []).length === 0)) && (account !== undefined || !this.#hasAccounts);
  }
}

interface SavedCluster {
  readonly loop: ReturnType<TaskLoop['save']>;
  readonly random: ReturnType<Random['save']>;
  readonly store: ReturnType<Store<KubeObject>['checkpoint']>;
  readonly components: Readonly<Record<string, JsonValue>>;
}

function mustHave(saved: Readonly<Record<string, JsonValue>>, name: string): JsonValue {
  const value = saved[name];
  assert(value !== undefined, `the checkpoint holds ${name}`);
  return value;
}

/** Stands for something that is made later in the constructor. */
function lazily<T extends object>(get: () => T): T {
  return new Proxy({} as T, { get: (_target, property) => Reflect.get(get(), property) as unknown });
}
