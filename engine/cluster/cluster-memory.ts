/** What a cluster remembers, and how it goes on from that. */
import type { SimulatedCloud } from '../cloud/provider.ts';
import { assert } from '../base/assert.ts';
import { text, where } from '../base/codecs.ts';
import type { FaultPoints } from '../base/fault-points.ts';
import type { JsonObject, JsonValue } from '../base/json.ts';
import { positions, type Random } from '../base/random.ts';
import { Slots } from '../base/slots.ts';
import { type Component, savedLoop, type TaskLoop } from '../base/task-loop.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import { ControllerRunner } from '../controller-runtime/runner.ts';
import type { Crashes } from '../history/crashes.ts';
import type { SchedulingDecisions } from '../history/decisions.ts';
import type { HistoryDigest } from '../history/digest.ts';
import type { HistoryRecorder } from '../history/recorder.ts';
import type { SavedPiece } from '../history/saved-pieces.ts';
import type { Store, StoreCheckpoint, StoreLoad } from '../store/store.ts';
import type { ControlPlane } from './control-plane.ts';
import type { Door } from './door.ts';
import type { Wiring } from './wiring.ts';

export interface Remembering {
  readonly loop: TaskLoop;
  readonly random: Random;
  readonly store: Store<KubeObject>;
  readonly door: Door;
  readonly history: HistoryRecorder;
  readonly digest: HistoryDigest;
  readonly decisions: SchedulingDecisions;
  readonly crashes: Crashes;
  readonly faultPoints: FaultPoints;
  readonly cloud: SimulatedCloud | undefined;
  readonly plane: Pick<ControlPlane, 'authorizers' | 'manifests' | 'eventLimits' | 'reload'>;
  readonly wiring: Wiring;
  readonly components: readonly Component[];
}

export class ClusterMemory {
  readonly #parts: Remembering;
  readonly #slots = new Slots();
  /** What follows from changes of the store. */
  readonly #derived = new Slots();
  #knownRevision: number | undefined;

  constructor(parts: Remembering) {
    this.#parts = parts;
    this.#declare();
  }

  /** While a state is restored: the last change that is already part of it. */
  get knownRevision(): number | undefined {
    return this.#knownRevision;
  }

  save(): JsonValue {
    return { state: this.saveState(), derived: this.saveDerived(), store: this.#parts.store.checkpoint() as unknown as JsonValue };
  }

  saveState(before?: JsonValue): JsonValue {
    return this.#slots.save(before);
  }

  saveDerived(): JsonValue {
    return this.#derived.save();
  }

  saveDerivedPieces(): Iterable<SavedPiece> {
    return within('history', this.#parts.history.savePieces());
  }

  /** In the order in which it is taken up again. */
  #declare(): void {
    const { loop, random, door, history, digest, decisions, crashes, faultPoints, cloud, plane, wiring, components } = this.#parts;
    const slots = this.#slots;
    this.#derived.adopt('history', history.slots);
    slots.field(
      'random',
      positions,
      () => random.save(),
      (saved) => random.restore(saved),
    );
    slots.field(
      'loop',
      where(savedLoop, 'timers of components of this cluster', (saved) => loop.knowsTimersOf(saved)),
      () => loop.save(),
      (saved) => loop.restore(saved),
    );
    slots.step(() => plane.reload());
    slots.adopt('authorization', plane.authorizers.slots);
    slots.adopt('manifests', plane.manifests.slots);
    slots.adopt('waitingInformers', wiring.waiting);
    slots.step(() => wiring.restoreInformers());
    // Limiters before queues: who finds keys waiting asks them.
    slots.adopt('wiring', wiring.slots);
    const ofComponents = slots.part('components');
    for (const component of components) ofComponents.adopt(component.name, component.slots);
    slots.adopt('decisions', decisions.slots);
    slots.adopt('crashes', crashes.slots);
    slots.adopt('faultPoints', faultPoints.slots);
    slots.adopt('ports', door.ports.slots);
    slots.adopt('processes', door.processes.slots);
    if (cloud !== undefined) slots.adopt('cloud', cloud.slots);
    if (plane.eventLimits !== undefined) slots.adopt('eventLimits', plane.eventLimits);
    slots.field(
      'digest',
      text,
      () => digest.value,
      (saved) => digest.goOnFrom(saved),
    );
    slots.mustBeThere('random', 'loop', 'wiring', 'components', 'digest');
  }

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
      ? () => this.#parts.history.restoreLater(below(this.#parts.history.name, derivedLater))
      : this.#derived.read(derived ?? null, 'derived');
    const takeUp = this.#slots.read(state, 'cluster');
    this.#knownRevision = baseRevision;
    takeUpDerived();
    this.#parts.store.load({ ...(store as unknown as StoreLoad<KubeObject>), toldUpTo: baseRevision });
    this.#parts.store.compact(floor);
    this.#parts.store.expire(floor);
    this.#knownRevision = undefined;
    takeUp();
    this.#beginWhatIsNew(state);
  }

  /** Controllers that the build which saved the state did not have: they begin now, in a cluster that is there already. */
  #beginWhatIsNew(state: JsonValue): void {
    const components = (state as { readonly components?: JsonObject }).components ?? {};
    const runners = this.#parts.components.filter((component) => component instanceof ControllerRunner);
    const missing = runners.filter(({ name }) => !Object.hasOwn(components, name));
    if (missing.length > 0) this.#parts.loop.enter(() => missing.forEach((runner) => runner.begin()));
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
