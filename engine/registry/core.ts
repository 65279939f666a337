/**
 * What every verb of the registry works with: the table of resources, the store, time, and, for verbs that write, the attempt they
 * belong to with its transaction and its draws. It keeps no state of its own but the second it last formatted.
 */
import { formatTime } from '../apimachinery/time.ts';
import { assert } from '../base/assert.ts';
import type { Cause } from '../base/causes.ts';
import type { Random, RandomStream } from '../base/random.ts';
import type { Clock } from '../base/task-loop.ts';
import { flat } from '../base/text.ts';
import { newMethodNotSupported, withinMeasure } from '../apimachinery/errors.ts';
import type { AccessReviewer } from '../contracts/access.ts';
import type { CertificateJudge } from '../contracts/certificates.ts';
import type { ConversionAsker, ObjectConversion, ServiceAllocator, StrategyContext } from '../contracts/kind.ts';
import type { Ratchet } from '../contracts/ratchets.ts';
import type { FoundFault } from '../contracts/release-faults.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import type { Identity, UnseenFields, Verb } from '../contracts/request.ts';
import { errorBody, type FieldErrorList } from '../apimachinery/field-errors.ts';
import { toldInternally } from '../apimachinery/internal-value.ts';
import type { MessageSchema, SchemaRegistry } from '../apimachinery/schema.ts';
import type { Answer, Ask, Question } from '../contracts/questions.ts';
import type { RequestTime } from '../contracts/request-time.ts';
import type { Store, StoredValue, StoreView } from '../store/store.ts';
import type { PendingRemoval, PendingWrite } from '../store/transaction.ts';
import type { Attempt, Finish } from '../contracts/attempt.ts';
import type { AllocationSource } from './allocation.ts';
import { withoutEmptyBytes } from './empty-bytes.ts';
import type { Machinery } from './machinery.ts';
import { stampRevision } from './meta.ts';
import { UnreadableError } from './readable.ts';
import { type ContextCall, RequestContext } from './request-context.ts';
import { isReadAsStored, objectKey, type Resource, type ResourceTable } from './resource.ts';

/** Called at the places where upstream's store calls admission; `old` is absent on create, `next` on delete. */
export interface WriteHooks {
  admit(next: KubeObject, old: KubeObject | undefined): KubeObject;
  /** What is stored in another version may be given as what makes it of that. */
  validate(next: KubeObject | (() => KubeObject) | undefined, old: KubeObject | undefined): void;
}

/** One write as the verbs see it. */
export interface WriteCall {
  readonly resource: Resource;
  /** Empty for cluster-scoped resources. */
  readonly namespace: string;
  /** Empty where the body names the object. */
  readonly name: string;
  readonly subresource: string | undefined;
  /** Absent where it is no request that writes. */
  readonly verb?: Verb;
  readonly identity: Identity;
  /** Field manager. */
  readonly manager: string;
  readonly causes: readonly Cause[];
  readonly dryRun: boolean;
  /** What the body of a user's own kind calls itself, where that is another. */
  readonly otherKind?: string | undefined;
  /** What the writer cannot know of; absent where he knows all there is. */
  readonly unseen?: UnseenFields | undefined;
  /** What the client's document makes of the object, with its empty lists and maps, where it has any: set by who reads it. */
  sent?: KubeObject;
  /** What is wrong in the client's version alone, told with the rest. */
  versionFaults?: FieldErrorList;
  /** What was sent has more than its version may say. */
  saysMore?: boolean;
  /** What was sent has less than defaults fill in, and its release would store it so. */
  saysLess?: boolean;
  readonly hooks: WriteHooks;
  warn(text: string): void;
  /** Adds an annotation to the audit event of the request; absent where it has none. */
  annotate?(key: string, value: string): void;
  /** A write of the server's own, in its name and judged by admission as any; absent where nothing is written beside. */
  own?(verb: 'create' | 'delete', resource: Resource, name: string): WriteCall;
}

export interface CoreDependencies {
  readonly table: ResourceTable;
  readonly store: Store<KubeObject>;
  readonly schemas: SchemaRegistry;
  readonly machinery: Machinery;
  readonly clock: Clock;
  readonly random: Random;
  featureEnabled(gate: string): boolean;
  ratcheted(ratchet: Ratchet): boolean;
  /** Whether the release looked for the fault. */
  judges(fault: FoundFault): boolean;
  /** Addresses and ports of Services, over the services and ServiceCIDRs there are; absent where nothing allocates them. */
  readonly services?: (source: AllocationSource) => ServiceAllocator;
  /** Answers reviews of access. */
  readonly access?: AccessReviewer;
  /** Judges certificates that kinds hold. */
  readonly certificates?: CertificateJudge;
}

const nameAlphabet = 'bcdfghjklmnpqrstvwxz2456789';
/** Streams of chance that attempts draw from. */
const stream = 'apiserver';
const dryRunStream = 'apiserver/dry-run';
const conversionStream = 'apiserver/conversion';

/** Stored objects below a prefix such as `pods`. */
export function storedUnder(view: StoreView<KubeObject>, prefix: string): readonly KubeObject[] {
  return view.range({ prefix: `/registry/${prefix}/` }).items.map((item) => item.value);
}

/** Reads the store as it is. */
export class Core {
  readonly dependencies: CoreDependencies;
  readonly table: ResourceTable;
  readonly schemas: SchemaRegistry;
  readonly machinery: Machinery;
  /** What is read: the store itself, or an attempt's transaction. */
  readonly view: StoreView<KubeObject>;
  readonly #second: FormattedSecond;
  /** What was asked already, by version: within one request an object is converted once. */
  readonly #converted = new Map<string, WeakMap<KubeObject, KubeObject>>();

  constructor(dependencies: CoreDependencies, view: StoreView<KubeObject> = dependencies.store, second: FormattedSecond = { second: -1, text: '' }) {
    this.dependencies = dependencies;
    this.table = dependencies.table;
    this.schemas = dependencies.schemas;
    this.machinery = dependencies.machinery;
    this.view = view;
    this.#second = second;
  }

  /** The same with the view, the draws and the writes of an attempt. */
  within(attempt: Attempt): WriteCore {
    return new WriteCore(this.dependencies, attempt, this.#second);
  }

  /** The same for one read that may ask. */
  asking(ask: Ask): Core {
    return new AskingCore(this.dependencies, ask, this.#second);
  }

  /** Whom conversions ask; undefined where nobody can wait for an answer. */
  protected get asker(): ConversionAsker | undefined {
    return undefined;
  }

  get store(): Store<KubeObject> {
    return this.dependencies.store;
  }

  nowMs(): number {
    return this.dependencies.clock.nowMs();
  }

  nowText(): string {
    const ms = this.nowMs();
    const formatted = this.#second;
    const second = Math.floor(ms / 1000);
    if (second !== formatted.second) {
      formatted.second = second;
      formatted.text = formatTime(ms);
    }
    return formatted.text;
  }

  featureEnabled(gate: string): boolean {
    return this.dependencies.featureEnabled(gate);
  }

  ratcheted(ratchet: Ratchet): boolean {
    return this.dependencies.ratcheted(ratchet);
  }

  /** Those that the release looked for; `isNew`: in what is being made. */
  judged(faults: FieldErrorList, { kind, apiVersion }: Pick<Resource, 'kind' | 'apiVersion'>, isNew: boolean): FieldErrorList {
    const judge = (fault: FieldErrorList[number]): boolean =>
      this.dependencies.judges({
        kind: kind.kind,
        apiVersion,
        isNew,
        field: fault.field,
        get text() {
          return errorBody(fault);
        },
      });
    return withinMeasure(faults).filter(judge);
  }

  /** Faults of an object of the schema as the release words their values. */
  told(faults: FieldErrorList, schema: MessageSchema): FieldErrorList {
    return this.ratcheted('InternalValues') ? toldInternally(this.schemas, schema, faults) : faults;
  }

  lookup(group: string, resource: string, namespace: string | undefined, name: string): KubeObject | undefined {
    const found = this.table.findStored(group, resource);
    return found === undefined ? undefined : this.read(found, namespace, name)?.value;
  }

  read(resource: Resource, namespace: string | undefined, name: string): StoredValue<KubeObject> | undefined {
    return this.view.get(objectKey(resource, namespace, name));
  }

  /** `known` is canonical as the same resource, as what is stored is: only what differs from it is looked at. */
  canonical(object: KubeObject, resource: Resource, known?: KubeObject): KubeObject {
    return this.machinery.canonicalize(object, resource.schema, known);
  }

  defaulted(object: KubeObject, { kind }: Resource): KubeObject {
    const filled = kind.defaults === undefined ? object : kind.defaults(object);
    if (kind.defaultsHere === undefined) return filled;
    const [featureEnabled, ratcheted] = [this.featureEnabled.bind(this), this.ratcheted.bind(this)];
    return kind.defaultsHere(filled, { nowText: this.nowText(), featureEnabled, ratcheted });
  }

  toStorage(object: KubeObject, resource: Resource): KubeObject {
    const { storage, conversion } = resource.kind;
    if (storage === undefined) return object;
    if (conversion === undefined || this.asker === undefined) return storage.toStorage(object);
    return this.#convert([object], this.table.storageOf(resource), conversion, this.asker)[0] as KubeObject;
  }

  /** The object in the version of `resource`. */
  fromStorage(object: KubeObject, resource: Resource): KubeObject {
    return isReadAsStored(resource) ? object : (this.allFromStorage([object], resource)[0] as KubeObject);
  }

  /** Several of them, for which is asked together. */
  allFromStorage(objects: readonly KubeObject[], resource: Resource): readonly KubeObject[] {
    const { storage, conversion, readStored, emptyBytes } = resource.kind;
    if (conversion !== undefined && this.asker !== undefined) return this.#convert(objects, resource, conversion, this.asker);
    if (storage !== undefined) return objects.map((object) => this.canonical(storage.fromStorage(object), resource));
    if (emptyBytes !== undefined) return objects.map((object) => withoutEmptyBytes(object, resource.kind));
    return readStored === undefined ? objects : objects.map((object) => readStored(object));
  }

  /** In which version a write is prepared and judged. */
  strategyOf(resource: Resource): Resource {
    return resource.kind.isJudgedAsSent === true ? resource : this.table.storageOf(resource);
  }

  /** From the version that a write was judged in to that of the request. */
  fromStrategy(object: KubeObject, resource: Resource): KubeObject {
    return resource.kind.isJudgedAsSent === true ? object : this.fromStorage(object, resource);
  }

  #convert(objects: readonly KubeObject[], target: Resource, conversion: ObjectConversion, asker: ConversionAsker): readonly KubeObject[] {
    const { apiVersion } = target;
    const known = this.#converted.get(apiVersion) ?? new WeakMap<KubeObject, KubeObject>();
    this.#converted.set(apiVersion, known);
    const others = objects.filter((object) => object.apiVersion !== apiVersion && !known.has(object));
    const converted = others.length === 0 ? [] : conversion.convert(others, apiVersion, asker);
    others.forEach((object, i) => known.set(object, this.canonical(converted[i] as KubeObject, target)));
    const { readStored = (object: KubeObject): KubeObject => object, storage } = target.kind;
    return objects.map((object) => known.get(object) ?? (storage === undefined ? readStored(object) : storage.fromStorage(object)));
  }

  requireVerb(resource: Resource, verb: Resource['verbs'][number]): void {
    if (!resource.verbs.includes(verb)) throw newMethodNotSupported(resource.groupResource, verb);
  }
}

/** Reads of one request that may ask. */
class AskingCore extends Core {
  readonly #ask: Ask;

  constructor(dependencies: CoreDependencies, ask: Ask, second: FormattedSecond) {
    super(dependencies, dependencies.store, second);
    this.#ask = ask;
  }

  protected override get asker(): ConversionAsker {
    return {
      askAll: (questions) => questions.map((question) => this.#ask(question)),
      lookup: (group, resource, namespace, name) => this.lookup(group, resource, namespace, name),
      stored: (prefix) => storedUnder(this.view, prefix),
      // Reads have no draws: of several backends the first is called.
      draw: () => 0,
    };
  }
}

interface FormattedSecond {
  second: number;
  text: string;
}

/** Reads and writes as one attempt. */
export class WriteCore extends Core {
  /** What the attempt has waited for so far counts. */
  readonly time: RequestTime;
  readonly #attempt: Attempt;

  constructor(dependencies: CoreDependencies, attempt: Attempt, second: FormattedSecond) {
    super(dependencies, attempt.store, second);
    this.#attempt = attempt;
    this.time = attempt.time;
  }

  get leavesOwners(): boolean {
    return this.#attempt.leavesOwners;
  }

  random(name: string): RandomStream {
    return this.#attempt.draws.stream(name);
  }

  /** A version 4 UUID. What is not kept draws from a stream of its own, which nobody draws from for what is. */
  newUid(dryRun = false): string {
    const hex = this.random(dryRun ? dryRunStream : stream).hex(32);
    const variant = '89ab'.charAt(Number.parseInt(hex.charAt(16), 16) & 3);
    return flat([hex.slice(0, 8), '-', hex.slice(8, 12), '-4', hex.slice(13, 16), '-', variant, hex.slice(17, 20), '-', hex.slice(20)]);
  }

  randomSuffix(): string {
    return this.random(stream).text(5, nameAlphabet);
  }

  isFirst(what: string): boolean {
    return this.#attempt.isFirst(what);
  }

  /** Calls back when what this attempt wrote is kept. */
  whenKept(act: () => void): void {
    this.#attempt.whenKept(act);
  }

  /** The answer, when it is there; else the attempt ends here and is made again with it. */
  ask(question: Question): Answer {
    return this.#attempt.ask(question);
  }

  askAll(questions: readonly Question[]): readonly Answer[] {
    return this.#attempt.askAll(questions);
  }

  protected override get asker(): ConversionAsker {
    return {
      askAll: (questions) => this.askAll(questions),
      lookup: (group, resource, namespace, name) => this.lookup(group, resource, namespace, name),
      stored: (prefix) => storedUnder(this.view, prefix),
      draw: (below) => this.random(conversionStream).integer(below),
    };
  }

  /** Answers with what was written as the request's version: whoever converts is asked before the commit. `next` is it in the version that it was judged in. */
  shown(written: { readonly value: KubeObject }, next: KubeObject, resource: Resource): Finish<KubeObject> {
    if (resource.kind.conversion === undefined) return () => this.fromStorage(written.value, resource);
    let shown: KubeObject;
    try {
      shown = this.fromStorage(next, resource);
    } catch (error) {
      if (!(error instanceof UnreadableError)) throw error;
      // It is written, though nobody can tell it in the version of the request.
      return () => {
        throw error;
      };
    }
    return () => {
      const { resourceVersion } = written.value.metadata;
      return resourceVersion === undefined ? shown : stampRevision(shown, Number(resourceVersion));
    };
  }

  /** Whatever is written is seen by this attempt and never kept (dry run). */
  discard(): void {
    this.#attempt.discard();
  }

  context(call: ContextCall): StrategyContext {
    return new RequestContext(this, call);
  }

  /** Asks the kind whether this writer may write this; both in the version of the request. */
  guard(call: WriteCall, next: KubeObject, old: KubeObject | undefined): void {
    const { resource, namespace, name } = call;
    const storage = this.strategyOf(resource);
    if (call.subresource !== undefined) return;
    if (storage.kind.guard === undefined) return;
    const stored = (object: KubeObject): KubeObject => (storage === resource ? object : this.toStorage(object, resource));
    storage.kind.guard(stored(next), old === undefined ? undefined : stored(old), { namespace, name }, this.context(call));
  }

  /** The three writes. Within an attempt nobody comes between reading and writing: a refusal is a programmer's error. */
  add(key: string, object: KubeObject): PendingWrite<KubeObject> {
    const written = this.#attempt.store.create(key, object);
    assert(!('reason' in written), `${key} is free`);
    return written;
  }

  put(key: string, object: KubeObject): PendingWrite<KubeObject> {
    const written = this.#attempt.store.update(key, object);
    assert(!('reason' in written), `${key} is there`);
    return written;
  }

  drop(key: string): PendingRemoval {
    const removed = this.#attempt.store.remove(key);
    assert(!('reason' in removed), `${key} is there`);
    return removed;
  }
}
