/**
 * Shared informers over the in-process transport. Changes reach a process after a virtual latency; those that come while a
 * delivery is under way travel with it, so a busy informer costs one task per batch. A cache is not saved: at a quiet instant it
 * equals the store, and is listed anew. What is refused is tried again as client-go's reflector does: listed anew, ever later.
 */
import { assert } from '../base/assert.ts';
import { type Cause, mergeCauses, writeCause } from '../base/causes.ts';
import { type Codec, data, list, nullable, number, oneOf, record } from '../base/codecs.ts';
import { causesCodec, Slots } from '../base/slots.ts';
import { StatusError } from '../apimachinery/status.ts';
import type { RandomStream } from '../base/random.ts';
import type { SharedTexts } from '../base/shared-values.ts';
import type { TaskLoop } from '../base/task-loop.ts';
import type { KubeList, KubeObject } from '../apimachinery/object.ts';
import type { ApiPipeline, ApiRequest, ApiResult, Identity, WatchEventType, WatchHandle, WatchSink } from '../contracts/request.ts';
import { CachedInformer, type HandlerCrash, idOf, revisionOf } from './cached-informer.ts';
import type { ResourceType } from './client.ts';
import { type Informer, type InformerFactory, keyOf } from './informer.ts';
import { resourceTypeCodec } from './resources.ts';
import { reconnectMaxMs, reconnectMs, watchLatencyMaxMs, watchLatencyMinMs } from './physics.ts';

export interface InformerOptions {
  readonly pipeline: ApiPipeline;
  readonly loop: Pick<TaskLoop, 'soon'>;
  readonly identity: Identity;
  readonly userAgent: string;
  readonly component: string;
  readonly latency: RandomStream;
  readonly weather?: WatchWeather;
  /** Keys of objects, shared with the informers of other processes. */
  readonly keys?: SharedTexts;
  /** Hears of handlers that threw, and sees to it that `redeliver` is called later. */
  readonly onCrash: (crash: InformerCrash, error: unknown) => void;
  /** A list or the start of a watch was refused, in the API's words; it is tried again by itself. */
  readonly onRefused?: (resource: ResourceType, error: StatusError) => void;
  /** Sees to it that `retry` is called then. Absent: the wait is a call in flight, so that the cluster is not quiet before it is over. */
  readonly retryLater?: (resource: ResourceType, delayMs: number) => void;
}

/** What faults do to the watches of a process. */
export interface WatchWeather {
  lagMs(): number;
  /** Whether the stream breaks at this delivery. */
  breaks(): boolean;
  /** The faults for which a list or the start of a watch fails now. */
  refusal?(request: ApiRequest): readonly Cause[] | undefined;
  causes(): readonly Cause[];
}

/** What a process remembers of a handler that threw, as plain data. */
export interface InformerCrash {
  /** The process' name, or the one that the handler was added under. */
  readonly owner: string;
  readonly resource: ResourceType;
  readonly handler: HandlerCrash;
}

/** An informer that is not told anything until it tries again, as plain data. */
interface Waiting {
  readonly resource: ResourceType;
  readonly verb: 'list' | 'watch';
  /** Of the last change that it was told. */
  readonly revision: number;
  readonly refusals: number;
  readonly delayedBy: readonly Cause[];
  /** What it has in its cache, which may differ from what is stored by now; null before it has listed anything. */
  readonly objects: readonly KubeObject[] | null;
}

const waitingCodec: Codec<Waiting> = record<Waiting>({
  resource: resourceTypeCodec,
  verb: oneOf('list', 'watch'),
  revision: number,
  refusals: number,
  delayedBy: causesCodec,
  objects: nullable(list(data<KubeObject>())),
});

interface Pending<T> {
  readonly type: WatchEventType;
  readonly object: T;
  readonly revision: number;
}

export class LoopbackInformers implements InformerFactory {
  readonly #options: InformerOptions;
  readonly #informers = new Map<string, LoopbackInformer<KubeObject>>();
  readonly slots = new Slots();
  /** Loaded before the caches are filled: those that wait are not. */
  readonly waitingSlots = new Slots();
  readonly #waiting = this.waitingSlots.map('waiting', waitingCodec);
  /** Asked for when the others had begun: kinds that came later. */
  readonly #late = this.slots.map('late', resourceTypeCodec);
  #started = false;

  constructor(options: InformerOptions) {
    this.#options = options;
    this.slots.step(() => {
      for (const type of this.#late.values()) this.restoreInformer(type);
    });
  }

  has(type: ResourceType): boolean {
    return this.#informers.has(idOf(type));
  }

  informer<T extends KubeObject>(type: ResourceType<T>): Informer<T> {
    const id = idOf(type);
    let informer = this.#informers.get(id);
    if (informer === undefined) {
      informer = this.#make(type);
      this.#informers.set(id, informer);
      if (this.#started) {
        this.#late.set(id, type);
        informer.start();
      }
    }
    return informer as unknown as Informer<T>;
  }

  /** Lists and watches everything asked for so far; what is asked for later starts at once. */
  start(): void {
    this.#started = true;
    for (const informer of this.#informers.values()) informer.start();
  }

  /** Fills all caches from the restored store, without telling handlers: who remembers something has restored it. */
  restore(): void {
    this.#started = true;
    for (const [id, informer] of this.#informers) informer.restore(this.#waiting.get(id));
  }

  /** One that a restored component had asked for late: filled at once, as `restore` fills the others. */
  restoreInformer<T extends KubeObject>(type: ResourceType<T>): Informer<T> {
    const id = idOf(type);
    const informer = this.#informers.get(id) ?? this.#make(type);
    if (!this.#informers.has(id)) informer.restore(this.#waiting.get(id));
    this.#informers.set(id, informer);
    this.#late.set(id, type);
    return informer as unknown as Informer<T>;
  }

  /** One whose kind is served no more is not kept: whoever wants it when it is there again asks anew. */
  #make(type: ResourceType): LoopbackInformer<KubeObject> {
    const id = idOf(type);
    return new LoopbackInformer<KubeObject>(type, this.#options, {
      waiting: this.#waiting,
      gone: () => this.#late.delete(id) && this.#informers.delete(id),
    });
  }

  /** The wait of one is over. */
  retry(type: ResourceType): void | Promise<void> {
    return this.#informers.get(idOf(type))?.retry();
  }

  redeliver({ resource, handler }: InformerCrash): void {
    this.#informers.get(idOf(resource))?.redeliver(handler);
  }

  get component(): string {
    return this.#options.component;
  }

  get synced(): boolean {
    return [...this.#informers.values()].every((informer) => informer.synced);
  }

  /** Everything cached that is told of changes, for those who compare it with the store. */
  all(): readonly Informer<KubeObject>[] {
    return Array.from(this.#informers).flatMap(([id, informer]) => (this.#waiting.has(id) ? [] : [informer]));
  }
}

/** What the informers of a process know of each. */
interface Siblings {
  readonly waiting: Map<string, Waiting>;
  /** Its kind is served no more. False: it is kept all the same. */
  gone(): boolean;
}

class LoopbackInformer<T extends KubeObject> extends CachedInformer<T> {
  readonly #options: InformerOptions;
  #pending: Pending<T>[] = [];
  /** Of the last change that was delivered: a stream that broke is taken up behind it. */
  #revision = 0;
  #watch: WatchHandle | undefined;
  /** Why what is told next comes late, though that may be healed by then. */
  #delayedBy: readonly Cause[] = [];
  /** In a row. */
  #refusals = 0;
  readonly #siblings: Siblings;

  constructor(type: ResourceType<T>, options: InformerOptions, siblings: Siblings) {
    super(type, options.keys);
    this.#options = options;
    this.#siblings = siblings;
  }

  start(): void {
    this.#options.loop.soon(this.#latency(), this.#options.component, () => this.#attempt('list'));
  }

  /** Filled from the store, or where it waited: with what it had then. */
  restore(waited: Waiting | undefined): void {
    this.cache.clear();
    if (waited !== undefined) return this.#goOnWaiting(waited);
    const { list, watch } = this.#options.pipeline.reopen(this.#request('list', {}), this.#sink());
    this.#revision = revisionOfList(list as KubeList<T>);
    this.#watch = watch;
    for (const object of list.items as readonly T[]) this.cache.put(keyOf(object), object);
    this.markSynced();
  }

  #goOnWaiting({ revision, refusals, delayedBy, objects }: Waiting): void {
    this.#revision = revision;
    this.#refusals = refusals;
    this.#delayedBy = delayedBy;
    for (const object of objects ?? []) this.cache.put(keyOf(object), object as T);
    if (objects !== null) this.markSynced();
  }

  protected handlerCrashed(handler: HandlerCrash<T>, owner: string | undefined, error: unknown): void {
    const { component, onCrash } = this.#options;
    onCrash({ owner: owner ?? component, resource: this.type, handler: handler as unknown as HandlerCrash }, error);
  }

  /** Lists all there is, watches from there, and tells what that is, or what of it is new. */
  #fill(): void | Promise<void> {
    return whenThere(this.#options.pipeline.handle(this.#request('list', {})), ({ object }: ApiResult) => {
      const list = object as unknown as KubeList<T>;
      this.#revision = revisionOfList(list);
      return whenThere(this.#follow(), () => {
        if (this.synced) return this.replace(list.items);
        for (const item of list.items) this.#apply({ type: 'ADDED', object: item, revision: revisionOf(item) });
        this.markSynced();
      });
    });
  }

  /** Everything after the last delivered change. */
  #follow(): void | Promise<void> {
    const watch = this.#options.pipeline.watch(this.#request('watch', { resourceVersion: String(this.#revision) }), this.#sink());
    return whenThere(watch, (handle) => {
      this.#watch = handle;
      this.#refusals = 0;
    });
  }

  #sink(): WatchSink {
    return {
      onEvent: (event, revision) => this.#receive({ type: event.type, object: event.object as T, revision }),
      // After an error it is listed anew.
      onEnd: () => {
        if (this.#pending.at(-1)?.type !== 'ERROR') this.#siblings.gone();
      },
    };
  }

  /** What a fault refuses is tried again, as after a stream that broke; what the API refuses is listed anew. */
  #attempt(verb: Waiting['verb']): void | Promise<void> {
    const refusal = this.#options.weather?.refusal?.(this.#request(verb, {}));
    if (refusal !== undefined) {
      this.#delayedBy = mergeCauses(this.#delayedBy, refusal);
      return this.#wait(verb, reconnectMs);
    }
    try {
      const done = verb === 'list' ? this.#fill() : this.#follow();
      return done instanceof Promise ? done.catch((error: unknown) => this.#refused(error)) : done;
    } catch (error) {
      this.#refused(error);
    }
  }

  #refused(error: unknown): void {
    if (!(error instanceof StatusError)) throw error;
    if (error.status.code === 404 && this.#siblings.gone()) return;
    this.#options.onRefused?.(this.type, error);
    this.#wait('list', Math.min(reconnectMaxMs, reconnectMs * 2 ** Math.min(this.#refusals++, 10)));
  }

  /** Nothing is told meanwhile, so that what it has is data. */
  #wait(verb: Waiting['verb'], delayMs: number): void {
    assert(this.#pending.length === 0, 'who waits has been told of everything');
    const { loop, component, retryLater } = this.#options;
    if (retryLater === undefined) return loop.soon(delayMs, component, () => this.#attempt(verb));
    this.#siblings.waiting.set(idOf(this.type), {
      resource: this.type,
      verb,
      revision: this.#revision,
      refusals: this.#refusals,
      delayedBy: this.#delayedBy,
      objects: this.synced ? this.cache.list() : null,
    });
    retryLater(this.type, delayMs);
  }

  retry(): void | Promise<void> {
    const waited = this.#siblings.waiting.get(idOf(this.type));
    assert(waited !== undefined, 'only who waits tries again');
    this.#siblings.waiting.delete(idOf(this.type));
    return this.#attempt(waited.verb);
  }

  #request(verb: 'list' | 'watch', list: NonNullable<ApiRequest['list']>): ApiRequest {
    const { group, version, resource } = this.type;
    const { identity, userAgent } = this.#options;
    return { verb, group, version, resource, identity, userAgent, causes: [], list };
  }

  #receive(change: Pending<T>): void {
    assert(change.revision > (this.#pending.at(-1)?.revision ?? 0), 'events come in the order of revisions');
    this.#pending.push(change);
    if (this.#pending.length > 1) return;
    const lagMs = this.#options.weather?.lagMs() ?? 0;
    this.#options.loop.soon(this.#latency() + lagMs, this.#options.component, () => this.#deliver());
  }

  #deliver(): void | Promise<void> {
    const batch = this.#pending;
    this.#pending = [];
    if (this.#options.weather?.breaks() === true) {
      this.#delayedBy = mergeCauses(this.#delayedBy, this.#options.weather.causes());
      this.#watch?.cancel();
      return this.#wait('watch', reconnectMs);
    }
    assert(batch.length > 0, 'a delivery brings something');
    for (const delivered of batch) {
      if (delivered.type === 'ERROR') {
        // Too old, or broken on the other side: listed anew, and told what differs.
        this.#watch?.cancel();
        return this.#attempt('list');
      }
      this.#revision = delivered.revision;
      if (delivered.type !== 'BOOKMARK') this.#apply(delivered);
    }
    this.#delayedBy = [];
  }

  #apply({ type, object, revision }: Pending<T>): void {
    const causes = [[writeCause(revision)], this.#options.weather?.causes() ?? [], this.#delayedBy].reduce(mergeCauses);
    if (type === 'DELETED') this.remove(object, causes);
    else this.store(object, causes);
  }

  #latency(): number {
    return this.#options.latency.between(watchLatencyMinMs, watchLatencyMaxMs);
  }
}

/** At once where it is there, else when it has come. */
function whenThere<T>(answer: T | Promise<T>, take: (answer: T) => void | Promise<void>): void | Promise<void> {
  return answer instanceof Promise ? answer.then(take) : take(answer);
}

function revisionOfList({ metadata: { resourceVersion } }: KubeList): number {
  assert(resourceVersion, 'a list has a resourceVersion');
  return Number(resourceVersion);
}
