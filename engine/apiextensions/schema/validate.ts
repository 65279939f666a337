/**
 * Values against their schema, in upstream's words. Mirrors pkg/validation/validate of kube-openapi and pkg/apiserver/validation of
 * apiextensions-apiserver. Upstream meets properties in the random order of Go's maps; here it is the schema's.
 */
import type { FieldErrorList, FieldPath } from '../../apimachinery/field-errors.ts';
import { goQuote } from '../../apimachinery/quote.ts';
import { isList, isObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { getOwn } from '../../base/dictionary.ts';
import { Correlation } from './correlation.ts';
import {
  dotted,
  Findings,
  faulty,
  itemOf,
  missing,
  notListed,
  overfull,
  type Spot,
  spotOf,
  spotText,
  wrongAs,
  wrongType,
  wrongValue,
  wrongWhole,
} from './findings.ts';
import { isNearlyWhole, judgeNumber, goNumberOf } from './numbers.ts';
import type { Structural } from './structural.ts';
import { judgeText } from './texts.ts';
import { hasDuplicates } from './uniqueness.ts';

export interface ValidateOptions {
  /** What stood there before; undefined where nothing did. */
  readonly old?: JsonValue | undefined;
  /** What did not change since `old` is not judged again (CRDValidationRatcheting). */
  readonly ratcheting?: boolean;
  /** Upstream judges defaults by the schema's structural form: all formats count there, and an int-or-string may be of any type. */
  readonly asDefault?: boolean;
}

interface Mode {
  readonly asDefault: boolean;
}

/** Faults of a value, in upstream's order. `path` is where the value stands; undefined for a whole object. */
export function validateValue(value: JsonValue, structural: Structural, path: FieldPath | undefined, options: ValidateOptions = {}): FieldErrorList {
  const mode: Mode = { asDefault: options.asDefault === true };
  const { old } = options;
  const correlation = options.ratcheting && old !== undefined ? new Correlation(value, old, structural) : undefined;
  return judge(value, structural, undefined, mode, correlation).faults.map((fault) => fault.at(path));
}

function judge(value: JsonValue, s: Structural, spot: Spot | undefined, mode: Mode, before?: Correlation): Findings {
  const all = new Findings();
  if (value === null) {
    all.merge(judgeType(value, s, spot, mode));
    if (s.enum !== undefined) all.merge(faulty(notListed(spot, value, s.enum)));
    return ratcheted(all, before);
  }
  const format = formatOf(s, mode);
  const apply = (findings: Findings | undefined): void => {
    all.merge(findings);
    all.matchCount++;
  };
  if (typesOf(s, mode).length > 0 || format !== '') apply(judgeType(value, s, spot, mode));
  apply(judgeBranches(value, s, spot, mode));
  if (typeof value === 'string') for (const findings of judgeText(value, s, format, spot)) apply(findings);
  if (typeof value === 'number' || typeof value === 'bigint') apply(judgeNumber(value, s, typesOf(s, mode), format, spot));
  if (isList(value)) apply(judgeList(value, s, spot, mode, before));
  apply(s.enum === undefined || s.enum.has(value) ? undefined : faulty(notListed(spot, value, s.enum)));
  if (isObject(value)) apply(judgeObject(value, s, spot, mode, before));
  all.matchCount++;
  return ratcheted(all, before);
}

/** What stood there before and is wrong may stay; that it was checked counts. */
function ratcheted(all: Findings, before: Correlation | undefined): Findings {
  if (all.isValid || before === undefined || !before.isUnchanged) return all;
  const kept = new Findings();
  kept.matchCount = all.matchCount;
  return kept;
}

function typesOf(s: Structural, { asDefault }: Mode): readonly string[] {
  if (!asDefault || !s.intOrString) return s.types;
  return s.type === '' ? [] : [s.type];
}

function formatOf(s: Structural, { asDefault }: Mode): string {
  return asDefault ? s.format : s.checkedFormat;
}

/** The type of a value and the format that Go's type of it goes with. */
function kindOf(value: JsonValue): readonly [type: string, format: string] {
  if (typeof value === 'string') return ['string', ''];
  if (typeof value === 'boolean') return ['boolean', ''];
  if (isList(value)) return ['array', ''];
  if (typeof value === 'number' || typeof value === 'bigint') return 'whole' in goNumberOf(value) ? ['integer', 'int64'] : ['number', 'float64'];
  return ['object', ''];
}

function judgeType(value: JsonValue, s: Structural, spot: Spot | undefined, mode: Mode): Findings {
  const fine = new Findings();
  fine.matchCount = 1;
  const types = typesOf(s, mode);
  const wanted = types.join(',');
  if (value === null) return types.length > 0 && !s.nullable ? faulty(wrongType(spot, wanted, 'null')) : fine;
  const format = formatOf(s, mode);
  const [type, own] = kindOf(value);
  const isTextual = type === 'string' || type === 'array';
  const isNumeric = types.includes('number') || types.includes('integer');
  const isAlike =
    types.includes(type) ||
    (type === 'number' && types.includes('integer') && isNearlyWhole(Number(value))) ||
    (type === 'integer' && types.includes('number'));
  if (!isTextual && format !== '' && !isAlike && own !== format) return faulty(wrongType(spot, format, own));
  if (!isNumeric && format !== '' && isTextual) return fine;
  return isAlike ? fine : faulty(wrongType(spot, wanted, type));
}

/** `anyOf`, `oneOf`, `allOf` and `not`, in this order. Nothing is compared with what stood there before from here on. */
function judgeBranches(value: JsonValue, s: Structural, spot: Spot | undefined, mode: Mode): Findings {
  const all = new Findings();
  const judged = (branch: Structural): Findings => judge(value, branch, spot, mode);
  if (s.anyOf.length > 0) judgeAny(s.anyOf, judged, spot, all);
  if (s.oneOf.length > 0) judgeOne(s.oneOf, judged, spot, all);
  if (s.allOf.length > 0) judgeAll(s.allOf, judged, spot, all);
  if (s.not !== undefined && judged(s.not).isValid) all.add(wrongWhole(`${quoted(spot)} must not validate the schema (not)`));
  all.matchCount++;
  return all;
}

type JudgeBranch = (branch: Structural) => Findings;

function judgeAny(branches: readonly Structural[], judged: JudgeBranch, spot: Spot | undefined, all: Findings): void {
  let best: Findings | undefined;
  for (const branch of branches) {
    const findings = judged(branch);
    if (findings.isValid) return all.merge(findings);
    if (best === undefined || findings.matchCount > best.matchCount) best = findings;
  }
  all.add(wrongWhole(`${quoted(spot)} must validate at least one schema (anyOf)`));
  all.merge(best);
}

function judgeOne(branches: readonly Structural[], judged: JudgeBranch, spot: Spot | undefined, all: Findings): void {
  let best: Findings | undefined;
  let first: Findings | undefined;
  let valid = 0;
  for (const branch of branches) {
    const findings = judged(branch);
    if (findings.isValid) {
      valid++;
      best = undefined;
      first ??= findings;
    } else if (valid === 0 && (best === undefined || findings.matchCount > best.matchCount)) best = findings;
  }
  if (valid === 1) return all.merge(first);
  const found = valid === 0 ? 'Found none valid' : `Found ${valid} valid alternatives`;
  all.add(wrongWhole(`${quoted(spot)} must validate one and only one schema (oneOf). ${found}`));
  all.merge(best);
}

function judgeAll(branches: readonly Structural[], judged: JudgeBranch, spot: Spot | undefined, all: Findings): void {
  let valid = 0;
  for (const branch of branches) {
    const findings = judged(branch);
    if (findings.isValid) valid++;
    all.merge(findings);
  }
  if (valid < branches.length) all.add(wrongWhole(`${quoted(spot)} must validate all the schemas (allOf)${valid === 0 ? '. None validated' : ''}`));
}

function quoted(spot: Spot | undefined): string {
  return goQuote(spotText(spot));
}

function judgeList(value: readonly JsonValue[], s: Structural, spot: Spot | undefined, mode: Mode, before: Correlation | undefined): Findings {
  const all = new Findings();
  const { items, limits } = s;
  if (items !== undefined) for (const [index, item] of value.entries()) all.merge(judge(item, items, itemOf(spot, index), mode, before?.item(index)));
  const { minItems, maxItems } = limits;
  if (minItems !== undefined && value.length < minItems) all.add(wrongValue(spot, value.length, `should have at least ${minItems} items`));
  if (maxItems !== undefined && value.length > maxItems) all.add(overfull(spot, value.length, maxItems, 'items'));
  if (limits.uniqueItems && hasDuplicates(value)) all.add(wrongValue(spot, undefined, "shouldn't contain duplicates"));
  all.matchCount++;
  return all;
}

function judgeObject(value: JsonObject, s: Structural, spot: Spot | undefined, mode: Mode, before: Correlation | undefined): Findings {
  const all = new Findings();
  const keys = Object.keys(value);
  const { minProperties, maxProperties } = s.limits;
  if (minProperties !== undefined && keys.length < minProperties)
    all.add(wrongValue(spot, keys.length, `should have at least ${minProperties} properties`));
  if (maxProperties !== undefined && keys.length > maxProperties) all.add(overfull(spot, keys.length, maxProperties, 'properties'));
  judgeOthers(value, keys, s, spot, mode, before, all);
  for (const [name, property] of s.properties) {
    const member = getOwn(value, name);
    if (member !== undefined) all.merge(judge(member, property, spotOf(spot, name), mode, beforeOf(before, spot, name)));
  }
  for (const name of s.required) if (!Object.hasOwn(value, name)) all.add(missing(dotted(spot, name)));
  return all;
}

/** Members that no property names. */
function judgeOthers(
  value: JsonObject,
  keys: readonly string[],
  { properties, additionalProperties }: Structural,
  spot: Spot | undefined,
  mode: Mode,
  before: Correlation | undefined,
  all: Findings,
): void {
  if (additionalProperties === undefined || additionalProperties === true) return;
  for (const key of keys) {
    if (properties.has(key)) continue;
    if (additionalProperties === false) all.add(wrongAs(spot, key, (name) => `${name}.${key} in body is a forbidden property`));
    else all.merge(judge(value[key] as JsonValue, additionalProperties, dotted(spot, key), mode, beforeOf(before, spot, key)));
  }
}

/** The type of the whole object is never taken as unchanged: both were converted to the same one. */
function beforeOf(before: Correlation | undefined, spot: Spot | undefined, name: string): Correlation | undefined {
  return spot === undefined && (name === 'kind' || name === 'apiVersion') ? undefined : before?.field(name);
}
