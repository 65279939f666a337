/**
 * One cluster, put together: the composition root and the engine's only public door. It holds everything that lives (law 6) and
 * nothing else does. The host gives it wall time, chance for keys, and paces it; see `host/`.
 */
import type { Node } from '../api/core/v1/types.gen.ts';
import { builtInServices } from '../apiserver/aggregation/local-services.ts';
import { headerOf } from '../apiserver/http-types.ts';
import type { ApiServer } from '../apiserver/pipeline.ts';
import { RequestLog } from '../apiserver/requests/request-log.ts';
import type { Client } from '../client/client.ts';
import type { EventRecorder } from '../client/event-recorder.ts';
import { SeriesRecorder } from '../client/series-recorder.ts';
import { SimulatedCloud } from '../cloud/provider.ts';
import { assert } from '../base/assert.ts';
import { text, where } from '../base/codecs.ts';
import { FaultPoints } from '../base/fault-points.ts';
import { positions, Random } from '../base/random.ts';
import { Slots } from '../base/slots.ts';
import { type Component, type Crash, savedLoop, TaskLoop } from '../base/task-loop.ts';
import { formatGroupVersion, type KubeObject } from '../apimachinery/object.ts';
import { CommittedJson } from '../apimachinery/serializer/committed-json.ts';
import { formatTime, parseTime } from '../apimachinery/time.ts';
import type { JsonObject, JsonValue } from '../base/json.ts';
import { isNodeReady } from '../component-helpers/node.ts';
import type { ControllerOptions } from '../controllers/controller.ts';
import { uninitializedTaint } from '../controllers/lib/cloud.ts';
import { ControllerRunner } from '../controller-runtime/runner.ts';
import { Crashes } from '../history/crashes.ts';
import { CronLedger } from '../history/cron-runs/ledger.ts';
import { SchedulingDecisions } from '../history/decisions.ts';
import { NodeVerdicts } from '../history/node-verdicts.ts';
import { HistoryDigest } from '../history/digest.ts';
import { rememberedResourceOf } from '../history/row.ts';
import { createHistoryRecorder, type HistoryRecorder } from '../history/recorder.ts';
import type { SavedPiece } from '../history/saved-pieces.ts';
import { simGroup } from '../history/virtual-kind.ts';
import { createHistoryResources } from '../history/virtual-kinds.ts';
import { createDrivenConnections, withDrivenMetrics } from '../kwok/driven/connections.ts';
import { discoveryPath, prometheusTargets } from '../kwok/driven/discovery.ts';
import type { DrivenSources } from '../kwok/driven/world.ts';
import { createMetricsResources } from '../nodes/metrics/metrics-api.ts';
import { createNodes, type Nodes } from '../nodes/kubelets.ts';
import { storedUnder } from '../registry/core.ts';
import { stampRevision, weightOfObject } from '../registry/meta.ts';
import type { ResourceRegistry } from '../registry/resource-registry.ts';
import type { ComputedQuery, ComputedResource } from '../contracts/computed-resource.ts';
import type { Release } from '../contracts/release.ts';
import { FeatureGates } from '../releases/feature-gates.ts';
import { gatedPolicy } from '../releases/gated-policy.ts';
import { defaultRelease, mustGetRelease } from '../releases/releases.ts';
import { createScheduler, type Scheduler } from '../scheduler/scheduler.ts';
import { createStore } from '../store/memory-store.ts';
import type { Change, Store, StoreCheckpoint, StoreLoad } from '../store/store.ts';
import { letsNodesJoin } from './authorization-modes.ts';
import { bootstrap } from './bootstrap.ts';
import type { ClusterHost } from './cluster-host.ts';
import { type ClusterConfig, region } from './config.ts';
import { Door } from './door.ts';
import type { Answer } from '../contracts/questions.ts';
import type { ResourceType } from '../client/client.ts';
import { type ControlPlane, createControlPlane } from './control-plane.ts';
import { componentStatusesResource } from './component-statuses.ts';
import { faultTypesResource } from './fault-types.ts';
import { ProblemBoard } from '../problems/board.ts';
import { isShortOfPods } from '../problems/detectors/index.ts';
import { Tallies } from '../overview/tallies.ts';
import { changeSources } from './change-sources.ts';
import { createClusterMap } from './map-sources.ts';
import { requestResources } from './api-requests.ts';
import { overviewResources } from './overview-sources.ts';
import { Retention } from './event-ttl.ts';
import type { FlowControlConfigOptions } from './flow-control-config.ts';
import { flowControlObjects } from './flow-control-objects.ts';
import type { IdentityLeaseOptions } from './identity-lease.ts';
import { InsideAudit } from './inside-audit.ts';
import { machinesIdentity, schedulerIdentity } from './identities.ts';
import { logText } from './recovery.ts';
import { podTokens } from './pod-tokens.ts';
import { RequestSize } from './request-size.ts';
import { createSimulation } from './simulation.ts';
import { Weather } from './weather.ts';
import { Wiring } from './wiring.ts';
import { Lookout } from './lookout.ts';
import { hasNodeLeases, hasSimulatedCloud, nodesOptions, schedulerLimits, schedulerOptions } from './component-options.ts';
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
/** Computed resources that nobody tells of changes of. */
const lookedAt: ReadonlySet<string> = new Set(['problems', 'overviews', 'cronjobruns']);
/** And those that requests of clients change. */
const ofRequests: ReadonlySet<string> = new Set(['apirequests', 'apiclients']);

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
  readonly #slots = new Slots();
  /** What follows from changes of the store. */
  readonly #derived = new Slots();
  readonly #cronRuns: CronLedger;
  readonly #verdicts = new NodeVerdicts();
  readonly #problems = new ProblemBoard();
  readonly #tallies = new Tallies(isShortOfPods);
  /** Of the sim group, by the plural. */
  readonly #computed: ReadonlyMap<string, ComputedResource>;
  /** What clients have asked for since this process began. */
  readonly #requests: RequestLog;
  /** While a state is restored: the last change that is already part of it. */
  #knownRevision: number | undefined;

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
    const computed = this.#computedResources(driven);
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
    this.scheduler = this.settings.boolean('scheduler') ? this.#createScheduler() : undefined;
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
    this.#declare();
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
    return { state: this.saveState(), derived: this.saveDerived(), store: this.store.checkpoint() as unknown as JsonValue };
  }

  /** Without the store, and without what is derived from its changes. What is as in a state that was saved `before` is shared with it. */
  saveState(before?: JsonValue): JsonValue {
    return this.#slots.save(before);
  }

  /** What follows from the changes of the store alone. */
  saveDerived(): JsonValue {
    return this.#derived.save();
  }

  /** The same as it is now, piece by piece: each is made when it is asked for, and changes that come meanwhile are not in it. */
  saveDerivedPieces(): Iterable<SavedPiece> {
    return within('history', this.history.savePieces());
  }

  /** What this cluster remembers, in the order in which it is taken up again. */
  #declare(): void {
    const slots = this.#slots;
    this.#derived.adopt('history', this.history.slots);
    slots.field(
      'random',
      positions,
      () => this.random.save(),
      (saved) => this.random.restore(saved),
    );
    slots.field(
      'loop',
      where(savedLoop, 'timers of components of this cluster', (saved) => this.loop.knowsTimersOf(saved)),
      () => this.loop.save(),
      (saved) => this.loop.restore(saved),
    );
    slots.step(() => this.#plane.reload());
    slots.adopt('authorization', this.#plane.authorizers.slots);
    slots.adopt('manifests', this.#plane.manifests.slots);
    slots.adopt('waitingInformers', this.#wiring.waiting);
    slots.step(() => this.#wiring.restoreInformers());
    // Limiters before queues: who finds keys waiting asks them.
    slots.adopt('wiring', this.#wiring.slots);
    const components = slots.part('components');
    for (const component of this.#components) components.adopt(component.name, component.slots);
    slots.adopt('decisions', this.decisions.slots);
    slots.adopt('crashes', this.crashes.slots);
    slots.adopt('faultPoints', this.faultPoints.slots);
    slots.adopt('ports', this.door.ports.slots);
    slots.adopt('processes', this.door.processes.slots);
    if (this.cloud !== undefined) slots.adopt('cloud', this.cloud.slots);
    if (this.#plane.eventLimits !== undefined) slots.adopt('eventLimits', this.#plane.eventLimits);
    slots.field(
      'digest',
      text,
      () => this.#digest.value,
      (digest) => this.#digest.goOnFrom(digest),
    );
    slots.mustBeThere('random', 'loop', 'wiring', 'components', 'digest');
  }

  /** Makes a cluster that was just constructed with the same configuration go on where `save` was called. */
  restore(value: JsonValue): void {
    const { state, derived, store } = value as unknown as SavedCluster;
    this.restoreStored({ state, derived, store, baseRevision: store.revision, floor: store.compactedRevision });
  }

  /**
   * The same from a session, where what is derived is older: it knows the changes up to `baseRevision`. Throws StateError, and changes
   * nothing, where something that is remembered is not of its declared type. Derived pieces are checked when they are taken up: later.
   */
  restoreStored({ state, derived, derivedLater, store, baseRevision, floor }: RestorableState): void {
    const takeUpDerived = derivedLater
      ? () => this.history.restoreLater(below(this.history.name, derivedLater))
      : this.#derived.read(derived ?? null, 'derived');
    const takeUp = this.#slots.read(state, 'cluster');
    this.#knownRevision = baseRevision;
    takeUpDerived();
    this.store.load({ ...(store as unknown as StoreLoad<KubeObject>), toldUpTo: baseRevision });
    this.store.compact(floor);
    this.store.expire(floor);
    this.#knownRevision = undefined;
    takeUp();
    this.#beginWhatIsNew(state);
  }

  /** Controllers that the build which saved the state did not have: they begin now, in a cluster that is there already. */
  #beginWhatIsNew(state: JsonValue): void {
    const components = (state as { readonly components?: JsonObject }).components ?? {};
    const runners = this.#components.filter((component) => component instanceof ControllerRunner);
    const missing = runners.filter(({ name }) => !Object.hasOwn(components, name));
    if (missing.length > 0) this.loop.enter(() => missing.forEach((runner) => runner.begin()));
  }

  #onChange(change: Change<KubeObject>): void {
    if (this.#knownRevision === undefined) {
      this.#digest.onChange(change);
      this.#retention.onChanged(change);
    }
    if (change.revision <= (this.#knownRevision ?? 0)) return;
    if (this.#knownRevision !== undefined) {
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

  #computedResources(driven: DrivenSources): readonly ComputedResource[] {
    const ofHost = this.#host.computed?.(this) ?? [];
    const lookout = this.#createLookout();
    const own = [
      ...createHistoryResources({
        ...changeSources(this, this.#requests),
        ...{ decisions: this.decisions, verdicts: this.#verdicts, crashes: this.crashes, cronRuns: this.#cronRuns },
        nodeCreatedMs: (name) => parseTime(this.store.get(`/registry/minions/${name}`)?.value.metadata.creationTimestamp ?? ''),
      }),
      ...overviewResources(this, {
        board: this.#problems,
        cronRuns: this.#cronRuns,
        tallies: this.#tallies,
        requests: this.#requests,
        webhooks: () => this.#plane.webhooks,
      }),
      ...requestResources(this.#requests),
      createClusterMap(this),
      faultTypesResource(() => this.settings),
      componentStatusesResource(
        () => ({ controllers: this.settings.list('controllers').length > 0, scheduler: this.settings.boolean('scheduler') }),
        !this.release.ratchets.FoundComponents,
      ),
      ...withDrivenMetrics(driven, createMetricsResources(lazily(() => this.nodes.metrics))),
    ];
    const all = [...own.filter(({ kind }) => !ofHost.some((other) => other.kind === kind)), ...ofHost];
    return all.map((one) => {
      if (lookout !== undefined && lookedAt.has(one.kind.plural)) return lookout.over(one);
      return lookout !== undefined && ofRequests.has(one.kind.plural) ? lookout.over(one, () => String(this.#requests.version)) : one;
    });
  }

  /** Where nobody lends wall time, nobody waits for what it brings. */
  #createLookout(): Lookout | undefined {
    const { after } = this.#host;
    if (after === undefined) return undefined;
    return new Lookout({
      after,
      wallMs: () => this.#host.wallMs(),
      isQuiet: () => this.loop.quiet,
      isRushing: () => this.#host.isRushing?.() === true,
      place: () => `${this.store.currentRevision()} ${this.loop.nowMs()} ${this.#plane.webhooks.version}`,
    });
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

  #createScheduler(): Scheduler {
    const component = 'kube-scheduler';
    const limiter = this.#wiring.limiter(component, ...schedulerLimits(this.settings));
    const client = this.#wiring.client(schedulerIdentity, component, component, limiter);
    const eventClient = this.#wiring.client(schedulerIdentity, component, component);
    const options = schedulerOptions(this.settings, this.release, this.#gates);
    const name = this.settings.text('scheduler-name');
    const names = new Set([name, ...(options.profiles ?? []).map(({ schedulerName }) => schedulerName)]);
    const recorders = new Map([...names].map((source) => [source, this.#schedulerRecorder(eventClient, source)] as const));
    const scheduler = createScheduler({
      loop: this.loop,
      client,
      limiter,
      informers: this.#wiring.informers(schedulerIdentity, component, component),
      recorderOf: (source) => recorders.get(source) ?? (recorders.get(name) as EventRecorder),
      random: this.random.stream(component),
      options,
      onDecision: (record, nodes) => {
        this.#digest.onDecision(record);
        this.decisions.onDecision(record);
        if (nodes !== undefined) this.#verdicts.keep(record.pod, record.virtualMs, record.attempt, nodes);
      },
      onBound: (pod, attempt, placed) => this.decisions.onBound(pod, attempt, placed),
      ask: (question, goOn) => this.door.ask([question], component, ([answer]) => goOn(answer as Answer)),
    });
    this.#add(scheduler);
    return scheduler;
  }

  /** Where policies go, Events are core ones yet. */
  #schedulerRecorder(client: Client, source: string): EventRecorder {
    if (this.release.schedulesByPolicy) return this.#wiring.recorder(client, source);
    const recorder = new SeriesRecorder({ loop: this.loop, client, controller: source, host: 'wavetank' });
    this.#add(recorder);
    return recorder;
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

interface SavedCluster {
  readonly state: JsonValue;
  readonly derived: JsonValue;
  readonly store: StoreCheckpoint<JsonValue>;
}

/** What a session file holds of a cluster. */
export interface RestorableState extends Omit<SavedCluster, 'store' | 'derived'> {
  readonly store: StoreLoad<JsonValue>;
  /** One of the two: the whole, which is checked and taken up at once, or what this very build wrote, taken up piece by piece afterwards. */
  readonly derived?: JsonValue | undefined;
  readonly derivedLater?: Iterable<SavedPiece> | undefined;
  /** What is derived knows the changes up to here. */
  readonly baseRevision: number;
  /** The visible floor of the store. */
  readonly floor: number;
}

function* within(name: string, pieces: Iterable<SavedPiece>): Generator<SavedPiece> {
  for (const { path, value } of pieces) yield { path: [name, ...path], value };
}

function* below(name: string, pieces: Iterable<SavedPiece>): Generator<SavedPiece> {
  for (const { path, value } of pieces) {
    assert(path[0] === name, `what is derived is ${name}`);
    yield { path: path.slice(1), value };
  }
}

/** Stands for something that is made later in the constructor. */
function lazily<T extends object>(get: () => T): T {
  return new Proxy({} as T, { get: (_target, property) => Reflect.get(get(), property) as unknown });
}
