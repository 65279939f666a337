/**
 * Defaults are valid themselves, name no unknown fields and make valid metadata. Mirrors pkg/apiserver/schema/defaulting/validation.go of
 * apiextensions-apiserver.
 */
import { aggregateText, errorText, type FieldError, type FieldErrorList, type FieldPath, invalid } from '../../apimachinery/field-errors.ts';
import { deepEqual } from '../../base/equal.ts';
import { setOwn } from '../../base/dictionary.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { FaultSink } from './fault-sink.ts';
import { coerceMeta, type MetaReader, validateEmbedded } from './object-meta.ts';
import { prune } from './prune.ts';
import { inOrder } from './rewrite.ts';
import type { Structural } from './structural.ts';
import { validateValue } from './validate.ts';

export interface DefaultRules {
  readonly reader: MetaReader;
  /** Definitions of former releases may have defaults with unknown fields. */
  readonly requiresPruned: boolean;
  /** Who says what `x-kubernetes-validations` has against the defaults of one schema. */
  ruleJudge?(): RuleJudge;
}

type RuleJudge = (schema: Structural, value: JsonValue, path: FieldPath) => FieldErrorList;

interface Judges extends DefaultRules {
  readonly judge: RuleJudge | undefined;
}

/** The object around a place, with a value laid into it. */
type Around = (value: JsonValue) => JsonObject;

interface Place {
  readonly resource: Structural;
  readonly around: Around;
  readonly isInMeta: boolean;
}

export function defaultFaults(root: Structural, path: FieldPath, rules: DefaultRules): FieldErrorList {
  const out = new FaultSink();
  walk({ ...root, embeddedResource: true }, path, undefined, { ...rules, judge: rules.ruleJudge?.() }, out);
  return out.faults;
}

const typeMeta = { apiVersion: 'validation/v1', kind: 'Validation' };

function walk(s: Structural, path: FieldPath, given: Place | undefined, rules: Judges, out: FaultSink): void {
  if (!s.hasDefaults) return;
  const place: Place = given === undefined || s.embeddedResource ? { resource: s, around: withTypes, isInMeta: false } : given;
  if (s.default !== undefined) {
    const faults = place.isInMeta
      ? faultsInMeta(s, s.default, path.child('default'), place, rules)
      : faultsOf(s, s.default, path.child('default'), rules);
    out.push(...faults);
  }
  const { items } = s;
  if (items !== undefined) walk(items, path.child('items'), { ...place, around: (value) => place.around([value]) }, rules, out);
  for (const [name, property] of s.properties) {
    const isMeta = s.embeddedResource && (name === 'metadata' || name === 'apiVersion' || name === 'kind');
    const around: Around = (value) => place.around(memberOf(name, value));
    walk(property, path.child('properties').key(name), { ...place, around, isInMeta: place.isInMeta || isMeta }, rules, out);
  }
}

function withTypes(value: JsonValue): JsonObject {
  return { ...typeMeta, ...(value as JsonObject) };
}

function memberOf(name: string, value: JsonValue): JsonObject {
  const object: { [key: string]: JsonValue } = {};
  setOwn(object, name, value);
  return object;
}

function judged(s: Structural, value: JsonValue, path: FieldPath, rules: Judges): FieldErrorList {
  const faults = validateValue(value, s, path, { asDefault: true });
  return faults.length > 0 ? faults : (rules.judge?.(s, value, path) ?? []);
}

function faultsInMeta(s: Structural, value: JsonValue, path: FieldPath, { resource, around }: Place, rules: Judges): FieldErrorList {
  const object = around(value);
  const options = { isResourceRoot: true, dropsMalformed: false };
  const { fault, value: coerced } = coerceMeta(object, resource, undefined, rules.reader, options);
  const refuse = (why: string): FieldErrorList => [invalid(path, inOrder(value), `must result in valid metadata: ${why}`)];
  if (fault !== undefined) return refuse(errorText(fault));
  const faults = validateEmbedded(coerced, resource, undefined, rules.reader, options);
  return faults.length > 0 ? refuse(aggregateText(faults)) : judged(s, value, path, rules);
}

function faultsOf(s: Structural, value: JsonValue, path: FieldPath, rules: Judges): FieldErrorList {
  const isResourceRoot = s.embeddedResource;
  const unpruned: FieldError[] = [];
  if (rules.requiresPruned && !deepEqual(prune(value, s, { isResourceRoot }), value))
    unpruned.push(invalid(path, inOrder(value), 'must not have unknown fields'));
  const { fault, value: coerced } = coerceMeta(value, s, path, rules.reader, { isResourceRoot, dropsMalformed: false });
  if (fault !== undefined) return [...unpruned, fault];
  const faults = validateEmbedded(coerced, s, path, rules.reader, { isResourceRoot });
  return [...unpruned, ...(faults.length > 0 ? faults : judged(s, coerced, path, rules))];
}
