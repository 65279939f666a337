/** The environments of KWOK's expressions: what they may call, and what becomes of their results. Mirrors pkg/utils/cel of sigs.k8s.io/kwok. */
import type { KubeObject } from '../../apimachinery/object.ts';
import { parseDurationNanos } from '../../apimachinery/time.ts';
import type { JsonObject } from '../../base/json.ts';
import { functionTable, type FunctionTable, global, member, type Overload } from '../../cel/functions.ts';
import { CelDuration, CelTimestamp } from '../../cel/libraries/times.ts';
import { type CelProgram, compile } from '../../cel/program.ts';
import { standardFunctions } from '../../cel/standard.ts';
import { type CelType, double, dyn, timestamp } from '../../cel/types.ts';
import { CelError, type CelObject, type CelValue, isObject, typeOf, Unsigned } from '../../cel/values.ts';
import { ObjectTypes, plainValue } from './objects.ts';
import { KwokQuantity, quantityOperators } from './quantities.ts';

/** What is asked while an expression is evaluated. */
export interface ExpressionWorld {
  nowMs(): number;
  /** A float in [0, 1). */
  random(): number;
}

export const podMessage = 'io.k8s.api.core.v1.Pod';
export const nodeMessage = 'io.k8s.api.core.v1.Node';
export const containerMessage = 'io.k8s.api.core.v1.Container';
/** More than any expression in KWOK's own files needs by far. */
const limits = { costMax: Number.POSITIVE_INFINITY, stepsMax: 100_000 };

export class Expressions {
  readonly types = new ObjectTypes();
  readonly #functions: FunctionTable;
  readonly #variables: ReadonlyMap<string, CelType>;
  readonly #programs = new Map<string, CelProgram | string>();

  constructor(
    world: ExpressionWorld,
    variables: (types: ObjectTypes) => ReadonlyMap<string, CelType>,
    more: (types: ObjectTypes) => readonly Overload[] = () => [],
  ) {
    this.#functions = functionTable(standardFunctions, quantityOperators, commonFunctions(world, this.types), more(this.types));
    this.#variables = variables(this.types);
  }

  /** What is wrong with an expression; undefined where nothing is. */
  faultOf(expression: string): string | undefined {
    const program = this.#compiled(expression);
    return typeof program === 'string' ? program : undefined;
  }

  /** Throws CelError. */
  evaluate(expression: string, variables: ReadonlyMap<string, CelValue>): CelValue {
    const program = this.#compiled(expression);
    if (typeof program === 'string') throw new CelError(program);
    return program.evaluate(variables, limits).value;
  }

  #compiled(expression: string): CelProgram | string {
    const known = this.#programs.get(expression);
    if (known !== undefined) return known;
    const made = expression === '' ? 'no source code' : compile(expression, { variables: this.#variables, functions: this.#functions });
    const program = typeof made === 'object' && 'fault' in made ? made.fault : made;
    this.#programs.set(expression, program);
    return program;
  }
}

/** Where `self` is the object that a stage is about. */
export function stageExpressions(world: ExpressionWorld, kind: string): Expressions {
  const message = kind === 'Pod' ? podMessage : kind === 'Node' ? nodeMessage : undefined;
  return new Expressions(world, (types) => new Map([['self', message === undefined ? dyn : types.typeOf(message)]]));
}

export function selfOf({ types }: Expressions, kind: string, object: KubeObject): ReadonlyMap<string, CelValue> {
  const json = object as unknown as JsonObject;
  const value = kind === 'Pod' ? types.valueOf(podMessage, json) : kind === 'Node' ? types.valueOf(nodeMessage, json) : plainValue(json);
  return new Map([['self', value]]);
}

/** Functions, and methods of their first argument. */
function commonFunctions({ nowMs, random }: ExpressionWorld, types: ObjectTypes): readonly Overload[] {
  const since = (object: CelObject): number => {
    const metadata = object.field?.('metadata');
    const created = metadata !== undefined && isObject(metadata) ? metadata.field?.('creationTimestamp') : undefined;
    return created instanceof CelTimestamp ? nowMs() / 1000 - Number(created.nanos) / 1e9 : 0;
  };
  const unix = ({ nanos }: CelTimestamp): number => Number(nanos) / 1e9;
  const now = (): CelTimestamp => new CelTimestamp(BigInt(Math.floor(nowMs() * 1000)) * 1000n);
  const objects = [nodeMessage, podMessage].map((message) => types.typeOf(message));
  return [
    global('Now', [], timestamp, now),
    global('Rand', [], double, random),
    ...objects.flatMap((type) => [global('SinceSecond', [type], double, since), member('SinceSecond', [type], double, since)]),
    global('UnixSecond', [timestamp], double, unix),
    member('UnixSecond', [timestamp], double, unix),
  ];
}

function refused(what: string, value: CelValue): never {
  throw new CelError(`cel.${what} unsupported type: ${typeOf(value)}`);
}

export function asNumber(value: CelValue): number {
  if (value instanceof CelDuration) return Number(value.nanos);
  if (value instanceof KwokQuantity) return Number(`${value.quantity.mantissa}e${value.quantity.scale}`);
  if (value instanceof Unsigned) return Number(value.value);
  if (typeof value === 'bigint' || typeof value === 'number' || typeof value === 'boolean') return Number(value);
  return refused('AsFloat64', value);
}

export function asText(value: CelValue): string {
  return typeof value === 'string' ? value : refused('AsString', value);
}

export function asBool(value: CelValue): boolean {
  return typeof value === 'boolean' ? value : refused('AsBool', value);
}

export function asWhole(value: CelValue): number {
  if (value instanceof KwokQuantity) return refused('AsInt64', value);
  return Math.trunc(asNumber(value));
}

/** In milliseconds; numbers are nanoseconds, as Go's durations. */
export function asDurationMs(value: CelValue): number {
  if (typeof value === 'string') {
    const nanos = parseDurationNanos(value);
    if (nanos === undefined) throw new CelError(`time: invalid duration ${JSON.stringify(value)}`);
    return Number(nanos) / 1e6;
  }
  if (typeof value === 'boolean' || value instanceof KwokQuantity) return refused('AsDuration', value);
  return asNumber(value) / 1e6;
}
