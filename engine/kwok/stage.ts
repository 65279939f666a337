/**
 * Which stage is next for an object, and after how long. Mirrors pkg/utils/lifecycle of sigs.k8s.io/kwok. Stages are read once and
 * refused as a whole where something in them is not built.
 */
import type { Stage, StageExpression, StageMatchExpression, StageRequirement, StageSpec, StageStep } from '../api/kwok/v1alpha1/stage.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import { parseDuration, parseTime } from '../apimachinery/time.ts';
import { getOwn } from '../base/dictionary.ts';
import type { JsonValue } from '../base/json.ts';
import type { RandomStream } from '../base/random.ts';
import { CelError, type CelValue } from '../cel/values.ts';
import { asBool, asDurationMs, asWhole, type Expressions, selfOf } from './expressions/environment.ts';
import { parseQuery, type Query, QueryError } from './query.ts';

export class StageError extends Error {
  /** The stage that fails, where that is not said by who asked. */
  readonly stage: string | undefined;

  constructor(message: string, stage?: string) {
    super(message);
    this.name = 'StageError';
    this.stage = stage;
  }
}

/** A stage that can be played. */
export interface ReadStage {
  readonly name: string;
  readonly uid: string;
  readonly apiGroup: string;
  readonly kind: string;
  readonly steps: readonly StageStep[];
  readonly immediateNextStage: boolean;
  matches(object: KubeObject): boolean;
  /** Undefined where the expression gives nothing. */
  weightOf(object: KubeObject): number | undefined;
  delayMs(object: KubeObject, nowMs: number, random: RandomStream): number;
}

const longestMs = 1000 * 3600 * 24 * 3650;

/** Undefined for a stage that selects nothing. Throws StageError for what cannot be read. `expressionsOf` says what the CEL of a kind may use. */
export function readStage({ metadata, spec = {} }: Stage, expressionsOf: (kind: string) => Expressions): ReadStage | undefined {
  const { selector, resourceRef } = spec;
  if (selector === undefined) return undefined;
  const kind = resourceRef?.kind ?? '';
  const cel: CelReader = { stage: metadata.uid ?? '', read: (expression) => readCel(expression, expressionsOf(kind), kind) };
  const expressions = (selector.matchExpressions ?? []).map((each) => readMatch(each, cel));
  const weight = readWeight(spec, cel);
  return {
    name: metadata.name ?? '',
    uid: metadata.uid ?? '',
    apiGroup: resourceRef?.apiGroup ?? 'v1',
    kind,
    steps: stepsOf(spec),
    immediateNextStage: spec.immediateNextStage === true,
    matches: (object) =>
      isSubset(selector.matchLabels, object.metadata.labels) &&
      isSubset(selector.matchAnnotations, object.metadata.annotations) &&
      expressions.every((match) => match(object)),
    weightOf: weight,
    delayMs: readDelay(spec, cel),
  };
}

/** Of the stages that match one, drawn by their weights; undefined where none does. */
export function chooseStage(stages: readonly ReadStage[], object: KubeObject, random: RandomStream): ReadStage | undefined {
  const matching = stages.filter((stage) => stage.matches(object));
  if (matching.length <= 1) return matching[0];
  const weighed = matching.flatMap((stage) => {
    const weight = stage.weightOf(object);
    return weight === undefined ? [] : [{ stage, weight }];
  });
  const total = weighed.reduce((sum, { weight }) => sum + weight, 0);
  const among = weighed.length === 0 ? matching : weighed.map(({ stage }) => stage);
  if (total <= 0) return among[random.integer(among.length)];
  let left = random.integer(total);
  for (const { stage, weight } of weighed) {
    left -= weight;
    if (weight > 0 && left < 0) return stage;
  }
  return matching.at(-1);
}

/** `next` is the older form of `steps`. */
function stepsOf({ steps = [], next }: StageSpec): readonly StageStep[] {
  if (steps.length > 0 || next === undefined) return steps;
  const patches = next.patches ?? [];
  const { statusTemplate, statusSubresource = 'status', statusPatchAs } = next;
  const status = patches.length > 0 || !statusTemplate ? [] : [{ root: 'status', template: statusTemplate, subresource: statusSubresource }];
  return [
    ...(next.event === undefined ? [] : [{ event: next.event }]),
    ...(next.finalizers === undefined ? [] : [{ finalizers: next.finalizers }]),
    ...patches.map((patch) => ({ patch })),
    ...status.map((patch) => ({ patch: statusPatchAs === undefined ? patch : { ...patch, impersonation: statusPatchAs } })),
    ...(next.delete === true ? [{ delete: true }] : []),
  ];
}

function isSubset(wanted: { readonly [key: string]: string } = {}, there: { readonly [key: string]: string } = {}): boolean {
  return Object.entries(wanted).every(([key, value]) => getOwn(there, key) === value);
}

type Outputs = (object: KubeObject) => readonly JsonValue[] | undefined;

/** What the expression gives without nulls; undefined where it ends with an error. */
function readQuery(source: string): Outputs {
  const query: Query = mustParse(source);
  return (object) => {
    try {
      return query(object as unknown as JsonValue).filter((value) => value !== null);
    } catch (error) {
      if (error instanceof QueryError) return undefined;
      throw error;
    }
  };
}

function mustParse(source: string): Query {
  try {
    return parseQuery(source);
  } catch (error) {
    throw error instanceof QueryError ? new StageError(error.message) : error;
  }
}

type Evaluate = (object: KubeObject) => CelValue;

interface CelReader {
  readonly stage: string;
  read(expression: string): Evaluate;
}

function readCel(expression: string, expressions: Expressions, kind: string): Evaluate {
  const fault = expressions.faultOf(expression);
  if (fault !== undefined) throw new StageError(`failed to compile expression: ${fault}`);
  return (object) => expressions.evaluate(expression, selfOf(expressions, kind, object));
}

/** What fails while it is evaluated is a fault of the stage. */
function guarded<T>(stage: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw error instanceof CelError ? new StageError(error.message, stage) : error;
  }
}

function readMatch(given: StageMatchExpression, cel: CelReader): (object: KubeObject) => boolean {
  if (given.cel !== undefined && given.jq === undefined) {
    const evaluate = cel.read(given.cel.expression ?? '');
    return (object) => guarded(cel.stage, () => asBool(evaluate(object)));
  }
  const { key = '', operator = '', values = [] }: StageRequirement = given.jq ?? given;
  if (key === '') throw new StageError('invalid expression');
  const outputs = readQuery(key);
  const isIn = (object: KubeObject): boolean => (outputs(object) ?? []).some((value) => values.includes(scalarText(value)));
  const exists = (object: KubeObject): boolean => (outputs(object) ?? []).length > 0;
  switch (operator) {
    case 'In':
    case 'NotIn':
      if (values.length === 0) throw new StageError("for 'in', 'notin' operators, values set can't be empty");
      return operator === 'In' ? isIn : (object) => !isIn(object);
    case 'Exists':
    case 'DoesNotExist':
      if (values.length > 0) throw new StageError('values set must be empty for exists and does not exist');
      return operator === 'Exists' ? exists : (object) => !exists(object);
    default:
      throw new StageError(`operator ${JSON.stringify(operator)} is not supported`);
  }
}

/** Lists and objects equal no text. */
function scalarText(value: JsonValue): string {
  return typeof value === 'object' ? '\0' : String(value);
}

function readValue(from: StageExpression | undefined): Outputs | undefined {
  if (from === undefined) return undefined;
  const source = from.jq?.expression ?? from.expressionFrom ?? '';
  return source === '' ? undefined : readQuery(source);
}

function readWeight({ weight = 0, weightFrom }: StageSpec, cel: CelReader): ReadStage['weightOf'] {
  if (weightFrom?.cel !== undefined) {
    const evaluate = cel.read(weightFrom.cel.expression ?? '');
    return (object) => {
      const found = guarded(cel.stage, () => asWhole(evaluate(object)));
      return Number.isSafeInteger(found) ? found : 0;
    };
  }
  const from = readValue(weightFrom);
  return (object) => (from === undefined ? weight : wholeOf(from(object), weight));
}

function wholeOf(outputs: readonly JsonValue[] | undefined, standard: number): number | undefined {
  const [first] = outputs ?? [];
  if (first === undefined) return standard;
  if (first === '') return undefined;
  const value = typeof first === 'string' && /^[+-]?\d+$/.test(first) ? Number(first) : typeof first === 'number' ? Math.trunc(first) : standard;
  return Number.isSafeInteger(value) ? value : standard;
}

function readDelay({ delay }: StageSpec, cel: CelReader): ReadStage['delayMs'] {
  if (delay === undefined) return () => 0;
  const from = readDuration(delay.durationFrom, delay.durationMilliseconds ?? 0, cel);
  const hasJitter = delay.jitterDurationMilliseconds !== undefined || delay.jitterDurationFrom !== undefined;
  const jitterFrom = readDuration(delay.jitterDurationFrom, delay.jitterDurationMilliseconds, cel);
  return (object, nowMs, random) => {
    const duration = from(object, nowMs);
    if (duration === undefined) return 0;
    const jitter = hasJitter ? jitterFrom(object, nowMs) : undefined;
    if (jitter === undefined) return bounded(duration);
    return bounded(jitter <= duration ? jitter : duration + random.integer(jitter - duration));
  };
}

/** In milliseconds from now. */
function readDuration(
  from: StageExpression | undefined,
  standard: number | undefined,
  cel: CelReader,
): (object: KubeObject, nowMs: number) => number | undefined {
  if (from?.cel !== undefined) {
    const evaluate = cel.read(from.cel.expression ?? '');
    return (object) => guarded(cel.stage, () => asDurationMs(evaluate(object)));
  }
  const query = readValue(from);
  return (object, nowMs) => durationOf(query?.(object), standard, nowMs);
}

function bounded(ms: number): number {
  return Number.isNaN(ms) ? 0 : Math.min(Math.max(0, Math.round(ms)), longestMs);
}

/** A point in time, or a duration such as `1m30s`; else the standard. Undefined for an empty text. */
function durationOf(outputs: readonly JsonValue[] | undefined, standard: number | undefined, nowMs: number): number | undefined {
  const [first] = outputs ?? [];
  if (typeof first !== 'string') return standard;
  if (first === '') return undefined;
  const at = parseTime(first);
  return at === undefined ? (parseDuration(first) ?? standard) : at - nowMs;
}
