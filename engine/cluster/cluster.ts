/**
 * One cluster, put together: the composition root and the engine's only public door. It holds everything that lives (law 6) and
 * nothing else does. The host gives it wall time, chance for keys, and paces it; see `host/`.
 */
import type { Node } from '../api/core/v1/types.gen.ts';
import { builtInServices } from '../apiserver/aggregation/local-services.ts';
import { headerOf } from '../apiserver/http-types.ts';
import type { ApiServer } from '../apiserver/pipeline.ts';
import { RequestLog } from '../apiserver/requests/request-log.ts';
import { SimulatedCloud } from '../cloud/provider.ts';
import { assert } from '../base/assert.ts';
import { FaultPoints } from '../base/fault-points.ts';
import { Random } from '../base/random.ts';
import { type Component, type Crash, TaskLoop } from '../base/task-loop.ts';
import { formatGroupVersion, type KubeObject } from '../apimachinery/object.ts';
import { CommittedJson } from '../apimachinery/serializer/committed-json.ts';
import { formatTime } from '../apimachinery/time.ts';
import type { JsonValue } from '../base/json.ts';
import { isNodeReady } from '../component-helpers/node.ts';
import type { ControllerOptions } from '../controllers/controller.ts';
import { uninitializedTaint } from '../controllers/lib/cloud.ts';
import type { ControllerRunner } from '../controller-runtime/runner.ts';
import { Crashes } from '../history/crashes.ts';
import { CronLedger } from '../history/cron-runs/ledger.ts';
import { SchedulingDecisions } from '../history/decisions.ts';
import { NodeVerdicts } from '../history/node-verdicts.ts';
import { HistoryDigest } from '../history/digest.ts';
import { rememberedResourceOf } from '../history/row.ts';
import { createHistoryRecorder, type HistoryRecorder } from '../history/recorder.ts';
import type { SavedPiece } from '../history/saved-pieces.ts';
import { simGroup } from '../history/virtual-kind.ts';
import { createDrivenConnections } from '../kwok/driven/connections.ts';
import { discoveryPath, prometheusTargets } from '../kwok/driven/discovery.ts';
import { createNodes, type Nodes } from '../nodes/kubelets.ts';
import { storedUnder } from '../registry/core.ts';
import { stampRevision, weightOfObject } from '../registry/meta.ts';
import type { ResourceRegistry } from '../registry/resource-registry.ts';
import type { ComputedQuery, ComputedResource } from '../contracts/computed-resource.ts';
import type { Release } from '../contracts/release.ts';
import { FeatureGates } from '../releases/feature-gates.ts';
import { gatedPolicy } from '../releases/gated-policy.ts';
import { defaultRelease, mustGetRelease } from '../releases/releases.ts';
import { type Scheduler } from '../scheduler/scheduler.ts';
import { createStore } from '../store/memory-store.ts';
import type { Change, Store } from '../store/store.ts';
import { letsNodesJoin } from './authorization-modes.ts';
import { bootstrap } from './bootstrap.ts';
import type { ClusterHost } from './cluster-host.ts';
import { type ClusterConfig, region } from './config.ts';
import { ClusterMemory, type RestorableState } from './cluster-memory.ts';
import { createClusterScheduler } from './cluster-scheduler.ts';
import { computedResources } from './computed-resources.ts';
import { Door } from './door.ts';
import type { ResourceType } from '../client/client.ts';
import { type ControlPlane, createControlPlane } from './control-plane.ts';
import { ProblemBoard } from '../problems/board.ts';
import { isShortOfPods } from '../problems/detectors/index.ts';
import { Tallies } from '../overview/tallies.ts';
import { Retention } from './event-ttl.ts';
import type { FlowControlConfigOptions } from './flow-control-config.ts';
import { flowControlObjects } from './flow-control-objects.ts';
import type { IdentityLeaseOptions } from './identity-lease.ts';
import { InsideAudit } from './inside-audit.ts';
import { machinesIdentity } from './identities.ts';
import { logText } from './recovery.ts';
import { podTokens } from './pod-tokens.ts';
import { RequestSize } from './request-size.ts';
import { createSimulation } from './simulation.ts';
import { Weather } from './weather.ts';
import { Wiring } from './wiring.ts';
import { hasNodeLeases, hasSimulatedCloud, nodesOptions } from './component-options.ts';
import {
  createAvailability,
  createControllers,
  createDefinitions,
  createFlowControlConfig,
  createIdentityLease,
  createRegistration,
  createServiceAddresses,
  deletableResources,
} from './controllers.ts';
import { Settings } from './settings.ts';

const readyTimeoutMs = 300_000;
const readyStepMs = 250;
export class Cluster {
  readonly config: ClusterConfig;
  readonly release: Release;
  readonly settings: Settings;
  readonly loop: TaskLoop;
  readonly random: Random;
  readonly store: Store<KubeObject>;
  readonly registry: ResourceRegistry;
  readonly api: ApiServer;
  /** Through which everything that changes this cluster comes. */
  readonly door: Door;
  readonly history: HistoryRecorder;
  readonly decisions = new SchedulingDecisions();
  /** What faults do, and where. */
  readonly faultPoints = new FaultPoints();
  /** Components that threw and were recovered. */
  readonly crashes = new Crashes();
  readonly nodes: Nodes;
  /** The simulated provider, where `--cloud-provider` asks for it. */
  readonly cloud: SimulatedCloud | undefined;
  /** Undefined where the scheduler runs outside. */
  readonly scheduler: Scheduler | undefined;
  readonly #host: ClusterHost;
  readonly #digest: HistoryDigest;
  readonly #plane: ControlPlane;
  readonly #wiring: Wiring;
  readonly #weather: Weather;
  readonly #runners: readonly ControllerRunner<ControllerOptions>[];
  readonly #components: Component[] = [];
  readonly #flowControlConfig: ControllerRunner<FlowControlConfigOptions> | undefined;
  readonly #identityLease: ControllerRunner<IdentityLeaseOptions> | undefined;
  readonly #retention: Retention;
  readonly #memory: ClusterMemory;
  readonly #cronRuns: CronLedger;
  readonly #verdicts = new NodeVerdicts();
  readonly #problems = new ProblemBoard();
  readonly #tallies = new Tallies(isShortOfPods);
  /** Of the sim group, by the plural. */
  readonly #computed: ReadonlyMap<string, ComputedResource>;
  /** What clients have asked for since this process began. */
  readonly #requests: RequestLog;

  constructor(config: ClusterConfig, host: ClusterHost) {
    this.config = config;
    this.#host = host;
    this.release = config.release === undefined ? defaultRelease : mustGetRelease(config.release);
    this.settings = new Settings(config.options, this.release);
    const cronGrammar = this.release.ratchets.ZonedSchedules ? 'v3' : 'v1';
    this.#cronRuns = new CronLedger(cronGrammar);
    this.loop = new TaskLoop(config.startMs, host);
    this.#requests = new RequestLog({ wallMs: () => host.wallMs(), nowMs: () => this.loop.nowMs() });
    this.loop.onCrash((crash) => this.#onCrash(crash));
    this.random = new Random(config.seed);
    this.store = createStore<KubeObject>({ stamp: stampRevision, weigh: weightOfObject, quota: this.settings.number('quota-backend-bytes') });
    const json = new CommittedJson();
    this.#digest = new HistoryDigest({
      hash: (text) => host.hash(text),
      json,
      keyMaterial: [host.rootCaPem, ...(host.frontProxyCaPem === undefined ? [] : [host.frontProxyCaPem])],
    });
    this.history = createHistoryRecorder({
      resourceOf: rememberedResourceOf(
        (group, kind) => this.registry.table.list().find((entry) => entry.kind.kind === kind && entry.kind.group === group)?.kind.plural,
      ),
      startMs: config.startMs,
      cronGrammar,
      observers: [this.#cronRuns, this.#problems, this.#tallies],
      stored: (key, revision) => (revision === undefined ? this.store.get(key) : this.store.get(key, revision, true))?.value,
      // When an old change is looked at depends on wall time: the log alone hears of what it breaks, never the digest.
      onDefect: (key, error) => host.log?.(logText({ component: this.history.name, key, error })),
    });
    this.store.watch({ prefix: '', onChanges: (changes) => changes.forEach((change) => this.#onChange(change)) });
    this.#weather = new Weather(this.faultPoints, this.random, config.seed);
    const driven = {
      nowMs: () => this.loop.nowMs(),
      objects: (prefix: string) => this.stored(prefix),
      isMachine: (name: string) => this.nodes.machine(name) !== undefined,
    };
    const kubelets = createDrivenConnections(
      driven,
      lazily(() => this.nodes),
    );
    const computed = computedResources(this, {
      host,
      driven,
      problems: this.#problems,
      cronRuns: this.#cronRuns,
      verdicts: this.#verdicts,
      tallies: this.#tallies,
      requests: this.#requests,
      metrics: lazily(() => this.nodes.metrics),
      webhooks: () => this.#plane.webhooks,
    });
    this.#computed = new Map(computed.flatMap((one) => (one.kind.group === simGroup ? [[one.kind.plural, one]] : [])));
    const plane = createControlPlane({
      release: this.release,
      settings: this.settings,
      loop: this.loop,
      random: this.random,
      store: this.store,
      host,
      computed,
      requests: this.#requests,
      kubelets,
      later: (questions, take) => this.door.askLater(questions, take),
      send: (request) => this.door.follow(request),
      reach: (places, request) => this.door.ports.exchange(places, request),
      pages: (request, path) =>
        path === discoveryPath
          ? { status: 200, headers: { 'content-type': 'application/json' }, body: prometheusTargets(driven, headerOf(request, 'host')) }
          : undefined,
      json,
      disks: () => this.cloud?.disks,
      // The door tells history of what crashed while it acted; of a read, which is outside history, the log alone hears.
      onCrash: (crash) => host.log?.(logText(crash)),
      faultOn: (asked) => this.#weather.onOutside(asked),
      delayOf: (asked) => this.#weather.delayOfOutside(asked),
    });
    this.#plane = plane;
    this.api = plane.api;
    this.registry = plane.api.registry;
    this.door = new Door({
      loop: this.loop,
      store: this.store,
      random: this.random,
      api: this.api,
      http: plane.http,
      kubelets,
      outside: host,
      requestSize: new RequestSize({
        schemas: this.registry.core.schemas,
        kindOf: ({ apiVersion, kind }) =>
          this.registry.table.list().find((entry) => entry.kind.kind === kind && formatGroupVersion(entry.kind) === apiVersion)?.kind,
      }),
      authorizers: plane.authorizers,
      manifests: plane.manifests,
      limiter: plane.limiter,
      requests: this.#requests,
      audit: plane.http.auditor && new InsideAudit(plane.http.auditor, this.api, plane.http.newId),
    });
    this.#wiring = new Wiring({
      release: this.release,
      loop: this.loop,
      random: this.random,
      weather: this.#weather,
      pipeline: () => this.door,
      log: (line) => host.log?.(line),
      nodeClockAt: (node, ms) => this.nodes.clockAt(node, ms),
    });
    this.nodes = this.#createNodes();
    this.cloud = this.#createCloud();
    this.scheduler = this.settings.boolean('scheduler')
      ? createClusterScheduler(this, {
          wiring: this.#wiring,
          digest: this.#digest,
          verdicts: this.#verdicts,
          gates: this.#gates,
          add: (component) => this.#add(component),
        })
      : undefined;
    const controlled = {
      ...this,
      wiring: this.#wiring,
      host,
      types: plane.types,
      versionsOf: (group: string) => plane.aggregation.versionsOf(group),
      hasSubresource: ({ group, version, resource }: ResourceType, name: string) =>
        this.api.storages.find(group, version, resource, name) !== undefined,
    };
    this.#runners = createControllers(controlled);
    this.#flowControlConfig = createFlowControlConfig(controlled, config.startMs);
    this.#identityLease = createIdentityLease(controlled, this.#gates);
    const addresses = createServiceAddresses(controlled, this.#gates);
    this.#components.push(
      ...this.#runners,
      ...(this.#flowControlConfig ? [this.#flowControlConfig] : []),
      ...(this.#identityLease ? [this.#identityLease] : []),
      ...(addresses ? [addresses] : []),
      createDefinitions(controlled),
      createRegistration(controlled, () => builtInServices(this.api.storages, this.release)),
      createAvailability(controlled, {
        probeOf: (apiService) => plane.aggregation.probeOf(apiService),
        urlOf: (apiService) => plane.aggregation.urlOf(apiService),
        ask: (questions, goOn) => this.door.ask(questions, 'apiserver/apiservice-availability', goOn),
      }),
      ...createSimulation({
        loop: this.loop,
        random: this.random,
        wiring: this.#wiring,
        settings: this.settings,
        points: this.faultPoints,
        leavesOwnRuns: config.ownRuns === true,
        machines: () => this.nodes.nodeNames(),
        cloud: this.cloud,
        digest: () => this.digest,
        deletableResources: () => deletableResources(this.registry),
        log: (line) => host.log?.(line),
      }),
    );
    this.#retention = new Retention({
      loop: this.loop,
      store: this.store,
      eventTtlMs: this.settings.milliseconds('event-ttl'),
      compactionMs: this.settings.milliseconds('etcd-compaction-interval'),
      wallMs: () => host.wallMs(),
      wallWindowMs: host.watchWindowMs ?? 0,
      beforeFreeing: () => this.history.catchUp(),
    });
    this.#components.push(this.#retention);
    this.loop.register(this.#wiring);
    this.#memory = new ClusterMemory({ ...this, plane, wiring: this.#wiring, digest: this.#digest, components: this.#components });
  }

  /**
   * Brings a new cluster up to the instant at which the API answers and every node is Ready, as fast as possible. With `pause`
   * it waits before each object that it begins with, so that others have their turn; its history counts more tasks then.
   */
  async start(pause?: () => Promise<void>): Promise<void> {
    const flowControl = flowControlObjects(this.release);
    const creates = bootstrap(this.door, this.release.gitVersion, {
      ...this.config,
      apiServices: builtInServices(this.api.storages, this.release) as readonly KubeObject[],
      policy: gatedPolicy(this.release, this.#gates),
      features: this.#gates,
      flowControl: [...flowControl.mandatory, ...flowControl.suggested],
      nodeLeases: hasNodeLeases(this.release, this.#gates),
      tellsOfSlices: this.release.controllers.tellsOfSlices,
      region,
      clientCaPem: this.#host.rootCaPem,
      frontProxyCaPem: this.#host.frontProxyCaPem,
      ...(this.release.ratchets.BoundTokens ? { tokensFollowedSince: formatTime(this.config.startMs).slice(0, 10) } : {}),
      serviceCidr: this.settings.text('service-cluster-ip-range'),
    });
    if (pause === undefined) this.loop.enter(() => creates.forEach((create) => create()));
    else
      for (const create of creates) {
        await pause();
        this.loop.enter(create);
      }
    this.#wiring.startInformers();
    this.loop.enter(() => this.#identityLease?.start());
    await this.loop.run(this.loop.nowMs() + readyStepMs);
    this.loop.enter(() => {
      this.nodes.start();
      this.scheduler?.start();
      for (const runner of this.#runners) runner.start();
      this.#flowControlConfig?.start();
      this.#retention.start();
    });
    const deadlineMs = this.loop.nowMs() + readyTimeoutMs;
    while (!this.#ready()) {
      if (this.loop.nowMs() >= deadlineMs && !letsNodesJoin(this.settings)) break;
      assert(this.loop.nowMs() < deadlineMs, 'nodes become Ready within five virtual minutes');
      await this.loop.run(this.loop.nowMs() + readyStepMs);
    }
  }

  get #gates(): FeatureGates {
    return new FeatureGates(this.release.featureGates, this.settings.text('feature-gates'));
  }

  /**
   * The newest protocols over WebSockets that clients may speak: to processes with an end of input, and to ports through a tunnel. The API
   * server translates them for kubelets, or kubelets know them themselves.
   */
  get webSockets(): { readonly endInput: boolean; readonly tunnel: boolean } {
    const gates = this.#gates;
    const isOn = (gate: string): boolean => gates.enabled(gate) || gates.enabled('ExtendWebSocketsToKubelet');
    return { endInput: isOn('TranslateStreamCloseWebsocketRequests'), tunnel: isOn('PortForwardWebsockets') };
  }

  /** Who decides what somebody may. */
  get authorization(): Pick<ControlPlane['authorizers'], 'configuration' | 'onChanged'> {
    return this.#plane.authorizers;
  }

  /** Webhooks and policies that lie on disk. */
  get manifests(): Pick<ControlPlane['manifests'], 'configuration' | 'onChanged'> {
    return this.#plane.manifests;
  }

  /** Names of the controllers that run. */
  controllerNames(): readonly string[] {
    return this.#runners.map(({ name }) => name.slice('controller/'.length));
  }

  /** Stored objects below a prefix such as `pods`. */
  stored(prefix: string): readonly KubeObject[] {
    return storedUnder(this.store, prefix);
  }

  /** Every cache of every component; at a quiet instant each equals what is stored. */
  caches(): ReturnType<Wiring['caches']> {
    return this.#wiring.caches();
  }

  get digest(): string {
    return this.#digest.value;
  }

  /** Plain data of everything that is remembered (law 9). Asserts a quiet instant. */
  save(): JsonValue {
    return this.#memory.save();
  }

  /** Without the store, and without what is derived from its changes. What is as in a state that was saved `before` is shared with it. */
  saveState(before?: JsonValue): JsonValue {
    return this.#memory.saveState(before);
  }

  /** What follows from the changes of the store alone. */
  saveDerived(): JsonValue {
    return this.#memory.saveDerived();
  }

  /** The same as it is now, piece by piece: each is made when it is asked for, and changes that come meanwhile are not in it. */
  saveDerivedPieces(): Iterable<SavedPiece> {
    return this.#memory.saveDerivedPieces();
  }

  /** Makes a cluster that was just constructed with the same configuration go on where `save` was called. */
  restore(value: JsonValue): void {
    this.#memory.restore(value);
  }

  /** The same from a session. Throws StateError, and changes nothing, where something that is remembered is not of its declared type. */
  restoreStored(saved: RestorableState): void {
    this.#memory.restoreStored(saved);
  }

  #onChange(change: Change<KubeObject>): void {
    const { knownRevision } = this.#memory;
    if (knownRevision === undefined) {
      this.#digest.onChange(change);
      this.#retention.onChanged(change);
    }
    if (change.revision <= (knownRevision ?? 0)) return;
    if (knownRevision !== undefined) {
      this.history.onOldChange(change);
      return;
    }
    try {
      this.history.onChange(change);
    } catch (error) {
      this.loop.crashed(this.history.name, change.key, error);
    }
  }

  #onCrash(crash: Crash): void {
    const { component, key, error } = this.crashes.add(crash.component, crash.key, crash.error, this.loop.nowMs());
    this.#digest.onCrash(component, key, error, this.loop.nowMs());
    this.#host.log?.(logText(crash));
    this.#host.onCrash?.(crash);
  }

  /** Does so much of what a first reading of a computed resource has to do; tells whether nothing of it is left. */
  prepareReading(plural: string, most: number, query: ComputedQuery): boolean {
    return this.#computed.get(plural)?.prepare?.(most, query) ?? true;
  }

  /** Makes what somebody would be answered, for nobody: what is read for the first time is slow, because its code is not compiled yet. */
  rehearseReading(plural: string, name: string, query: ComputedQuery): void {
    const resource = this.#computed.get(plural);
    const nobody = (): never => {
      throw new Error(`${plural} ask the outside, which is not for a rehearsal`);
    };
    if (name !== '') JSON.stringify(resource?.get(name, query, undefined, nobody));
    else JSON.stringify(resource?.page?.(query, undefined, { limit: Number(query['limit'] ?? 0), continue: '' }));
  }

  #createNodes(): Nodes {
    const component = 'kubelets';
    const informers = this.#wiring.informers(machinesIdentity, component, 'kubelet');
    const created = createNodes({
      loop: this.loop,
      clientFor: (node) => this.#wiring.nodeClient(node, component),
      poolClient: this.#wiring.client(machinesIdentity, component, 'wavetank-machines'),
      informers,
      recorderFor: (node) => this.#wiring.nodeRecorder(node, component),
      random: this.random,
      points: this.faultPoints,
      ...podTokens(this.#host, this.registry.core),
      options: nodesOptions(this.settings, this.release, this.#gates),
      onLog: (record) => this.#digest.onLog(record),
    });
    this.#add(created);
    return created;
  }

  #createCloud(): SimulatedCloud | undefined {
    if (!hasSimulatedCloud(this.settings)) return undefined;
    const { loop, random, faultPoints: points } = this;
    return new SimulatedCloud({ loop, random: random.stream('cloud'), points, machine: (name) => this.nodes.machine(name) });
  }

  #add(component: Component): void {
    this.loop.register(component);
    this.#components.push(component);
  }

  #runs(name: string): boolean {
    return this.#runners.some((runner) => runner.name === name);
  }

  /** No taint is on it that those who run take away. */
  #isUsable({ spec }: Node): boolean {
    if (!this.#runs('controller/node-lifecycle-controller')) return true;
    const initializes = this.#runs('controller/cloud-node-controller');
    return (spec?.taints ?? []).every(({ key }) => key === uninitializedTaint && !initializes);
  }

  #ready(): boolean {
    const found = this.stored('minions') as readonly Node[];
    const account = this.store.get('/registry/serviceaccounts/default/default');
    return (
      found.length >= this.config.nodes &&
      found.every((node) => isNodeReady(node) && this.#isUsable(node)) &&
      (account !== undefined || !this.#runs('controller/serviceaccount-controller'))
    );
  }
}

/** Stands for something that is made later in the constructor. */
function lazily<T extends object>(get: () => T): T {
  return new Proxy({} as T, { get: (_target, property) => Reflect.get(get(), property) as unknown });
}
