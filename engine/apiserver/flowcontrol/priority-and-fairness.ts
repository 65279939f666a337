/**
 * Priority and fairness: each request belongs to a flow schema, which names the priority level whose seats it takes. What the two kinds
 * say is read again when one of them changed. Mirrors apiserver pkg/util/flowcontrol/{apf_controller,apf_filter}.go.
 */
import type { FlowSchema, PriorityLevelConfiguration } from '../../api/flowcontrol/v1/types.gen.ts';
import { assert } from '../../base/assert.ts';
import type { Identity } from '../../contracts/request.ts';
import { mandatoryLevels, mandatorySchemas } from '../../kinds/flowcontrol/v1/mandatory.ts';
import type { Exchange } from '../filters/filter.ts';
import type { Headers } from '../http-types.ts';
import { isLongRunning, type RequestInfo } from '../request-info.ts';
import { dumpOf } from './dump.ts';
import { bySchemaOrder, isForEverything, isSubject, schemaMatches } from './matching.ts';
import { metricsOf } from './metrics.ts';
import { FlowCounts } from './flow-counts.ts';
import { type LevelClock, PriorityLevel } from './priority-level.ts';
import { allocate, boundsOf, sharesOf } from './seat-shares.ts';
import type { RequestLimiter, Seat } from './seats.ts';

export interface FlowSource {
  /** Grows with each change of one of the two kinds. */
  generation(): number;
  schemas(): readonly FlowSchema[];
  levels(): readonly PriorityLevelConfiguration[];
}

export interface PriorityAndFairnessOptions {
  readonly source: FlowSource;
  /** Seats of all levels together. */
  readonly serverSeats: number;
  readonly clock: LevelClock;
  /** How many objects a list is made from. */
  countOf(group: string, resource: string): number;
}

/** Where a request belongs. */
interface Flow {
  /** Name the schema and the level by their uids. */
  readonly headers: Headers;
  readonly level: PriorityLevel;
  readonly counts: FlowCounts;
  readonly distinguisher: string;
}

interface Caller {
  readonly groups: readonly string[];
  /** Where all that this user asks belongs. */
  readonly always: Flow | undefined;
  readonly flows: Map<string, Flow>;
}

const callersMax = 1024;
const flowsMax = 1024;
/** What is longer names nothing that is there. */
const keyCharsMax = 512;
const adjustMs = 10_000;
const objectsPerSeat = 100;
const seatsMax = 10;
/** The widest request takes no more of a level than this. */
const levelShareMax = 0.15;

export class PriorityAndFairness implements RequestLimiter {
  readonly #options: PriorityAndFairnessOptions;
  readonly #levels = new Map<string, PriorityLevel>();
  readonly #counts = new Map<string, FlowCounts>();
  readonly #callers = new Map<string, Caller>();
  #schemas: readonly FlowSchema[] = [];
  #generation = -1;
  #adjustedMs: number;
  #cancelAdjustment: (() => void) | undefined;

  constructor(options: PriorityAndFairnessOptions) {
    this.#options = options;
    this.#adjustedMs = options.clock.nowMs();
  }

  admit(exchange: Exchange): Seat | undefined {
    const { info, identity, path, passage } = exchange;
    if (isLongRunning(info) && info.verb !== 'watch') return undefined;
    const flow = this.#flowOf(identity, info, path);
    const { level, counts, distinguisher } = flow;
    passage.flowHeaders = flow.headers;
    const width = level.isExempt ? 1 : this.#widthOf(info, level);
    if (!level.isExempt && (level.waiting > 0 || !level.fits(width))) this.#adjust();
    return level.take({ counts, distinguisher, width, identity, exchange });
  }

  metrics(): string {
    this.#refresh();
    return metricsOf([...this.#levels.values()], [...this.#counts.values()]);
  }

  dump(path: string, withDetails: boolean): string | undefined {
    this.#refresh();
    return dumpOf(path, [...this.#levels.values()], withDetails);
  }

  close(): void {
    this.#cancelAdjustment?.();
    for (const level of this.#levels.values()) level.close();
  }

  /** Classified once for each user, and for each kind of request where it matters which it is. */
  #flowOf(identity: Identity, info: RequestInfo, path: string): Flow {
    this.#refresh();
    const caller = this.#callerOf(identity);
    if (caller.always !== undefined) return caller.always;
    const key = info.isResource ? `${info.verb} ${info.resource}.${info.group}/${info.subresource} ${info.namespace}` : `${info.verb} ${path}`;
    const known = caller.flows.get(key);
    if (known !== undefined) return known;
    const flow = this.#classify(identity, info, path);
    if (key.length > keyCharsMax) return flow;
    if (caller.flows.size >= flowsMax) caller.flows.clear();
    caller.flows.set(key, flow);
    return flow;
  }

  #callerOf(identity: Identity): Caller {
    const known = this.#callers.get(identity.name);
    if (known !== undefined && isSame(known.groups, identity.groups)) return known;
    if (this.#callers.size >= callersMax) this.#callers.clear();
    const first = this.#schemas.find((schema) => this.#isServed(schema) && schema.spec?.rules?.some((rule) => isSubject(rule, identity)) === true);
    const isAlways = first !== undefined && first.spec?.distinguisherMethod?.type !== 'ByNamespace' && isForEverything(first, identity);
    const caller: Caller = { groups: identity.groups, always: isAlways ? this.#flow(first, identity, '') : undefined, flows: new Map() };
    this.#callers.set(identity.name, caller);
    return caller;
  }

  #isServed({ spec }: FlowSchema): boolean {
    return this.#levels.get(spec?.priorityLevelConfiguration.name ?? '')?.isQuiescing === false;
  }

  #classify(identity: Identity, info: RequestInfo, path: string): Flow {
    // The last schema is for everybody who is known or not; who is of no group at all is of it too.
    const schema = this.#schemas.find((one) => this.#isServed(one) && schemaMatches(one, identity, info, path)) ?? this.#schemas.at(-1);
    return this.#flow(schema as FlowSchema, identity, info.isResource ? info.namespace : '');
  }

  #flow({ metadata, spec }: FlowSchema, identity: Identity, namespace: string): Flow {
    const level = this.#levels.get(spec?.priorityLevelConfiguration.name ?? '');
    assert(level, 'a schema that is served has a level');
    const method = spec?.distinguisherMethod?.type;
    return {
      headers: { 'x-kubernetes-pf-flowschema-uid': metadata.uid ?? '', 'x-kubernetes-pf-prioritylevel-uid': level.uid },
      level,
      counts: this.#countsOf(metadata.name ?? '', level.name),
      distinguisher: method === 'ByUser' ? identity.name : method === 'ByNamespace' ? namespace : '',
    };
  }

  #countsOf(schema: string, level: string): FlowCounts {
    const key = `${schema}\n${level}`;
    let counts = this.#counts.get(key);
    if (counts === undefined) {
      counts = new FlowCounts(schema, level);
      this.#counts.set(key, counts);
    }
    return counts;
  }

  /** A list, or a watch that begins with one, is as wide as it is work. */
  #widthOf(info: RequestInfo, { bounds: { nominal } }: PriorityLevel): number {
    if (!info.isResource || info.verb !== 'list' || info.name !== '') return 1;
    const widest = Math.max(1, Math.min(seatsMax, Math.floor(nominal * levelShareMax)));
    return Math.min(widest, Math.max(1, Math.ceil(this.#options.countOf(info.group, info.resource) / objectsPerSeat)));
  }

  #refresh(): void {
    const { source, serverSeats, clock } = this.#options;
    const generation = source.generation();
    if (generation === this.#generation) return;
    this.#generation = generation;
    this.#callers.clear();
    this.#schemas = withMandatory(source.schemas(), mandatorySchemas).sort(bySchemaOrder);
    const given = withMandatory(source.levels(), mandatoryLevels);
    const allShares = given.reduce((sum, level) => sum + sharesOf(level), 0);
    for (const level of this.#levels.values()) level.isQuiescing = true;
    for (const configuration of given) {
      const name = configuration.metadata.name ?? '';
      let level = this.#levels.get(name);
      if (level === undefined) this.#levels.set(name, (level = new PriorityLevel(name, clock)));
      level.configure(configuration, boundsOf(configuration, serverSeats, allShares));
    }
    for (const [name, level] of this.#levels) if (level.isQuiescing && level.isIdle) this.#levels.delete(name);
  }

  /** Lends and borrows seats by what was wanted in the last time; not more often than each ten seconds. */
  #adjust(): void {
    const { clock, serverSeats } = this.#options;
    const nowMs = clock.nowMs();
    const periods = Math.floor((nowMs - this.#adjustedMs) / adjustMs);
    if (periods >= 1) {
      this.#adjustedMs = nowMs;
      const levels = [...this.#levels.values()];
      for (const { demand } of levels) demand.settle(nowMs, periods);
      const wishes = levels.map(({ demand, isExempt, bounds }) => {
        const { lower, nominal, upper } = bounds;
        const least = isExempt ? Math.max(lower, demand.highest) : Math.max(lower, Math.min(nominal, demand.highest));
        return { lower: least, upper, target: Math.max(least, demand.smoothed) };
      });
      const seats = allocate(serverSeats, wishes);
      levels.forEach((level, index) => {
        level.limit = Math.round(seats[index] as number);
        level.demand.begin();
        level.dispatch();
      });
    }
    if ([...this.#levels.values()].some((level) => level.waiting > 0)) this.#adjustLater(adjustMs - (nowMs - this.#adjustedMs));
  }

  /** Who waits is not helped by requests that do not come. */
  #adjustLater(delayMs: number): void {
    this.#cancelAdjustment ??= this.#options.clock.after(delayMs, () => {
      this.#cancelAdjustment = undefined;
      this.#adjust();
    });
  }
}

function withMandatory<T extends FlowSchema | PriorityLevelConfiguration>(stored: readonly T[], mandatory: readonly T[]): T[] {
  const names = new Set(stored.map(({ metadata }) => metadata.name));
  return [...stored, ...mandatory.filter(({ metadata }) => !names.has(metadata.name))];
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  return some === others || (some.length === others.length && some.every((group, index) => group === others[index]));
}
