/**
 * What an autoscaler of v1 says in annotations: metrics and measures in a form of v1's own, and its behavior by the names of Go's fields. Mirrors the
 * types of k8s.io/api autoscaling/v1 that stand nowhere else, and pkg/apis/autoscaling/v1/conversion.go.
 */
import { canonicalQuantity } from '../../../apimachinery/quantity-text.ts';
import { isZeroQuantity, parseQuantity, QuantityError } from '../../../apimachinery/quantity.ts';
import { isList, isObject, type JsonObject, type JsonValue } from '../../../base/json.ts';

type Read = (value: JsonValue) => JsonValue | undefined;

/** A note that Go would not read as its type. */
class Unreadable extends Error {}

/** Members as they are read, in the order of the type; what is absent is not there. */
type Fields = { readonly [name: string]: Read };

const text: Read = (value) => (typeof value === 'string' ? value : unreadable());
const whole: Read = (value) => (typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 2 ** 31 ? value : unreadable());
const amount: Read = (value) => {
  if (typeof value !== 'string' && typeof value !== 'number') return unreadable();
  try {
    return canonicalQuantity(String(value));
  } catch (error) {
    if (error instanceof QuantityError) return unreadable();
    throw error;
  }
};
const texts: Read = (value) => (isObject(value) ? mapped(value, text) : unreadable());
const list =
  (read: Read, zero: JsonValue = {}): Read =>
  (value) =>
    isList(value) ? value.map((item) => (item === null ? zero : (read(item) ?? zero))) : unreadable();

function unreadable(): never {
  throw new Unreadable();
}

function mapped(value: JsonObject, read: Read): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, (inner === null ? '' : read(inner)) ?? '']));
}

/** Go finds members whatever their capitals are. */
const struct =
  (fields: Fields): Read =>
  (value) => {
    if (!isObject(value)) return unreadable();
    const given = new Map(Object.entries(value).map(([name, inner]) => [name.toLowerCase(), inner]));
    const read = Object.entries(fields).map(([name, member]) => {
      const inner = given.get(name.toLowerCase()) ?? null;
      return [name, inner === null ? undefined : member(inner)] as const;
    });
    return Object.fromEntries(read.filter((entry): entry is [string, JsonValue] => entry[1] !== undefined));
  };

const requirement = struct({ key: text, operator: text, values: list(text, '') });
const selector = struct({ matchLabels: texts, matchExpressions: list(requirement) });
const reference = struct({ kind: text, name: text, apiVersion: text });
const sources = {
  object: struct({ target: reference, metricName: text, targetValue: amount, currentValue: amount, selector, averageValue: amount }),
  pods: struct({ metricName: text, targetAverageValue: amount, currentAverageValue: amount, selector }),
  resource: struct({ name: text, ...used() }),
  containerResource: struct({ name: text, ...used(), container: text }),
  external: struct({
    metricName: text,
    metricSelector: selector,
    targetValue: amount,
    targetAverageValue: amount,
    currentValue: amount,
    currentAverageValue: amount,
  }),
};
const metric = struct({ type: text, ...sources });
const rules = struct({
  stabilizationWindowSeconds: whole,
  selectPolicy: text,
  policies: list(struct({ type: text, value: whole, periodSeconds: whole })),
  tolerance: amount,
});
const behaviorFields = struct({ scaleUp: rules, scaleDown: rules });

function used(): Fields {
  return { targetAverageUtilization: whole, targetAverageValue: amount, currentAverageUtilization: whole, currentAverageValue: amount };
}

interface Source {
  readonly [field: string]: JsonValue | undefined;
}

/** Without what is not there. */
function some(fields: { readonly [name: string]: JsonValue | undefined }): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined));
}

function named({ metricName = '', selector: chosen }: Source): JsonObject {
  return some({ name: metricName, selector: chosen });
}

/** A metric, or what was measured of one, as v2 has it. */
const fromNote = {
  target: {
    object: (source: Source): JsonObject => {
      const { target = {}, averageValue, targetValue = '0' } = source;
      const isShare = averageValue !== undefined;
      const value = isShare && isZeroQuantity(parseQuantity(String(targetValue))) ? undefined : targetValue;
      return { describedObject: target, target: some({ type: isShare ? 'AverageValue' : 'Value', value, averageValue }), metric: named(source) };
    },
    pods: (source: Source): JsonObject => ({
      metric: named(source),
      target: { type: 'AverageValue', averageValue: source['targetAverageValue'] ?? '0' },
    }),
    resource: ({ name = '', targetAverageUtilization: averageUtilization, targetAverageValue: averageValue }: Source): JsonObject => ({
      name,
      target: some({ type: averageUtilization === undefined ? 'AverageValue' : 'Utilization', averageValue, averageUtilization }),
    }),
    external: ({ metricName, metricSelector, targetValue: value, targetAverageValue: averageValue }: Source): JsonObject => ({
      metric: named({ metricName, selector: metricSelector }),
      target: some({ type: value === undefined ? 'AverageValue' : 'Value', value, averageValue }),
    }),
  },
  current: {
    object: (source: Source): JsonObject => ({
      metric: named(source),
      current: some({ value: source['currentValue'] ?? '0', averageValue: source['averageValue'] }),
      describedObject: source['target'] ?? {},
    }),
    pods: (source: Source): JsonObject => ({ metric: named(source), current: { averageValue: source['currentAverageValue'] ?? '0' } }),
    resource: ({ name = '', currentAverageUtilization: averageUtilization, currentAverageValue: averageValue = '0' }: Source): JsonObject => ({
      name,
      current: some({ averageValue, averageUtilization }),
    }),
    external: ({ metricName, metricSelector, currentValue: value = '0', currentAverageValue: averageValue }: Source): JsonObject => ({
      metric: named({ metricName, selector: metricSelector }),
      current: some({ value, averageValue }),
    }),
  },
};

export type Side = keyof typeof fromNote;

/** The metrics (`target`), or measures (`current`), that a note says, as v2 has them; undefined when it says none. */
export function readMetrics(note: JsonValue | undefined, side: Side): readonly JsonObject[] | undefined {
  const read = readNote(note, list(metric)) as readonly JsonObject[] | undefined;
  const { object, pods, resource, external } = fromNote[side];
  return read?.map((one) => {
    const made = (name: string, make: (source: Source) => JsonObject): JsonObject => (one[name] === undefined ? {} : { [name]: make(one[name] as Source) });
    const { containerResource } = one as { readonly containerResource?: Source };
    const container = containerResource && { containerResource: { ...resource(containerResource), container: containerResource['container'] ?? '' } };
    return { type: one['type'] ?? '', ...made('object', object), ...made('pods', pods), ...made('resource', resource), ...container, ...made('external', external) };
  }); // biome-ignore format: a table
}

/** The behavior that a note says; undefined when it says none. */
export function readBehavior(note: JsonValue | undefined): JsonObject | undefined {
  const read = readNote(note, behaviorFields) as JsonObject | undefined;
  return read === undefined || Object.keys(read).length === 0 ? undefined : read;
}

function readNote(note: JsonValue | undefined, read: Read): JsonValue | undefined {
  if (note === undefined || note === null) return undefined;
  try {
    return read(note);
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

/** What v2 has of one source. */
interface SourceV2 {
  readonly name?: string;
  readonly container?: string;
  readonly describedObject?: JsonObject;
  readonly metric?: { readonly name?: string; readonly selector?: JsonObject };
  readonly target?: Values;
  readonly current?: Values;
}

interface Values {
  readonly value?: string;
  readonly averageValue?: string;
  readonly averageUtilization?: number;
}

/** Metrics (`target`) or measures (`current`) as a note has them. */
export function writeMetrics(metrics: readonly JsonObject[], side: Side): string {
  return JSON.stringify(metrics.map((one) => written(one, side)));
}

function written(one: JsonObject, side: Side): JsonObject {
  const source = (name: string): SourceV2 | undefined => one[name] as SourceV2 | undefined;
  const values = (from: SourceV2): Values => from[side] ?? {};
  const [average, value] = side === 'target' ? ['targetAverage', 'target'] : ['currentAverage', 'current'];
  const isCurrent = side === 'current';
  const zero = isCurrent ? '0' : undefined;
  const consumed = (from: SourceV2): JsonObject =>
    some({
      name: from.name ?? '',
      [`${average}Utilization`]: values(from).averageUtilization,
      [`${average}Value`]: values(from).averageValue ?? zero,
    });
  const [object, pods, resource, containerResource, external] = ['object', 'pods', 'resource', 'containerResource', 'external'].map(source);
  const measured = (from: SourceV2): JsonObject => ({ metricName: from.metric?.name ?? '' });
  return some({
    type: one['type'] ?? '',
    object:
      object &&
      some({
        target: referenceOf(object.describedObject ?? {}),
        ...measured(object),
        [`${value}Value`]: values(object).value ?? '0',
        selector: object.metric?.selector,
        averageValue: values(object).averageValue,
      }),
    pods: pods && some({ ...measured(pods), [`${average}Value`]: values(pods).averageValue ?? '0', selector: pods.metric?.selector }),
    resource: resource && consumed(resource),
    containerResource: containerResource && { ...consumed(containerResource), container: containerResource.container ?? '' },
    external:
      external &&
      some({
        ...measured(external),
        metricSelector: external.metric?.selector,
        [`${value}Value`]: values(external).value ?? zero,
        [`${average}Value`]: values(external).averageValue,
      }),
  });
}

function referenceOf({ kind = '', name = '', apiVersion }: JsonObject): JsonObject {
  return some({ kind, name, apiVersion: apiVersion === '' ? undefined : apiVersion });
}

/** By the names of Go's fields, as the internal type is written. */
export function writeBehavior({ scaleUp, scaleDown }: JsonObject): string {
  return JSON.stringify({ ScaleUp: rulesText(scaleUp), ScaleDown: rulesText(scaleDown) });
}

function rulesText(given: JsonValue | undefined): JsonValue {
  if (!isObject(given)) return null;
  const { stabilizationWindowSeconds = null, selectPolicy = null, policies, tolerance = null } = given;
  const each = (policy: JsonValue): JsonValue => {
    const { type = '', value = 0, periodSeconds = 0 } = policy as JsonObject;
    return { Type: type, Value: value, PeriodSeconds: periodSeconds };
  };
  const shown = isList(policies) ? policies.map(each) : null;
  return { StabilizationWindowSeconds: stabilizationWindowSeconds, SelectPolicy: selectPolicy, Policies: shown, Tolerance: tolerance };
}
