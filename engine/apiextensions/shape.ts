/**
 * The schema of one version at work: how objects of it are read, filled, judged and owned. What is as it should be is not made anew.
 * Mirrors unstructuredSchemaCoercer and unstructuredDefaulter of apiextensions-apiserver pkg/apiserver/customresource_handler.go.
 */
import type { JSONSchemaProps } from '../api/apiextensions/v1/types.gen.ts';
import { errorText, type FieldErrorList, type FieldErrorType, root } from '../apimachinery/field-errors.ts';
import type { TypeNode } from '../apimachinery/managed-fields/types.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import type { CustomShape } from '../apimachinery/schema.ts';
import { uncheckedRules } from '../apimachinery/unchecked-rules.ts';
import { isSorted, withSortedKeys } from '../apimachinery/serializer/key-order.ts';
import { DecodeError } from '../apimachinery/serializer/scalars.ts';
import type { JsonObject } from '../base/json.ts';
import { applyTypeOf } from './apply-type.ts';
import { applyDefaults, pruneNulls } from './schema/defaulting.ts';
import { validateListTypes } from './schema/list-types.ts';
import { coerceMeta, type MetaReader, validateEmbedded } from './schema/object-meta.ts';
import { prune, pruneNaming } from './schema/prune.ts';
import { type Structural, structuralOf } from './schema/structural.ts';
import { type RuleFindings, RuleValidator } from './rules/validator.ts';
import { validateValue } from './schema/validate.ts';

/** What a write may have changed. */
export type Part = 'all' | 'status';

/** Faults by which a value may be none that rules are written for. */
const blocking: ReadonlySet<FieldErrorType> = new Set<FieldErrorType>([
  ...(['FieldValueNotSupported', 'FieldValueRequired', 'FieldValueTooLong', 'FieldValueTooMany', 'FieldValueTypeInvalid'] as const),
]);

export interface ShapeOptions {
  readonly schema: JSONSchemaProps | undefined;
  /** Fields that no schema names are kept: definitions that came from v1beta1. */
  readonly preservesUnknownFields: boolean;
  /** How apply sees the metadata of all kinds. */
  readonly metadataType: TypeNode;
  readonly metaReader: MetaReader;
}

export class Shape implements CustomShape {
  readonly type: TypeNode;
  readonly #structural: Structural | undefined;
  readonly #preservesAll: boolean;
  readonly #reader: MetaReader;
  /** What stored objects are in this shape: themselves, mostly. */
  readonly #settled = new WeakMap<KubeObject, KubeObject>();
  readonly #converted = new WeakMap<KubeObject, KubeObject>();
  #rules: RuleValidator | undefined;
  /** What rules said last to an object: it is asked for faults, then for warnings. */
  readonly #judged = new WeakMap<KubeObject, { readonly old: KubeObject | undefined; readonly findings: RuleFindings }>();

  constructor({ schema, preservesUnknownFields, metadataType, metaReader }: ShapeOptions) {
    this.#reader = metaReader;
    this.#structural = schema === undefined ? undefined : structuralOf(schema);
    this.#preservesAll = preservesUnknownFields;
    this.type = applyTypeOf(schema, metadataType, preservesUnknownFields);
  }

  /** What comes from outside is refused where it cannot be read; of what is here already it is left out. Throws DecodeError. */
  read(object: JsonObject, unknown?: string[]): JsonObject {
    const pruned = this.#pruned(object, unknown);
    if (this.#structural?.hasEmbedded !== true) return inOrder(pruned);
    const coerced = coerceMeta(pruned, this.#structural, undefined, this.#reader, { isResourceRoot: false, dropsMalformed: unknown === undefined });
    if (coerced.fault !== undefined && unknown !== undefined) throw new DecodeError(errorText(coerced.fault));
    unknown?.push(...coerced.unknownFields);
    return inOrder(coerced.value as JsonObject);
  }

  inOrder(object: JsonObject): JsonObject {
    return inOrder(object);
  }

  /** An object that was stored in this shape's version as its readers get it: what is not known is gone, what has a default is filled in. */
  settled(stored: KubeObject, apiVersion: string): KubeObject {
    let settled = this.#settled.get(stored);
    if (settled === undefined) {
      const named = stored.apiVersion === apiVersion ? stored : { ...stored, apiVersion };
      settled = this.defaulted(asObject(this.read(asJson(named))));
      this.#settled.set(stored, settled);
    }
    return settled;
  }

  /** What an object of another version is in this one, with strategy None: it loses what is not known here, and is filled in no more. */
  converted(object: KubeObject, apiVersion: string): KubeObject {
    let converted = this.#converted.get(object);
    if (converted === undefined) {
      converted = asObject(this.read(asJson({ ...object, apiVersion })));
      this.#converted.set(object, converted);
    }
    return converted;
  }

  defaulted(object: KubeObject): KubeObject {
    const filled = applyDefaults(asJson(object), this.#structural);
    return filled === asJson(object) ? object : asObject(inOrder(filled as JsonObject));
  }

  /** What the schema says against the object, or against its status. */
  faults(object: KubeObject, old: KubeObject | undefined, part: Part): FieldErrorList {
    const structural = this.#structural;
    if (structural === undefined) return [];
    if (part === 'all') return validateValue(asJson(object), structural, undefined, { old: old && asJson(old), ratcheting: true });
    const ofStatus = structural.properties.get('status');
    const [status, before] = [asJson(object)['status'], old && asJson(old)['status']];
    return status === undefined || ofStatus === undefined ? [] : validateValue(status, ofStatus, root('status'), { old: before, ratcheting: true });
  }

  /** What is wrong with embedded resources, and with lists that are sets or maps and hold something twice; of these what was so may stay. */
  structureFaults(object: KubeObject, old: KubeObject | undefined, part: Part): FieldErrorList {
    const structural = this.#structural;
    if (structural === undefined) return [];
    const embedded = part === 'all' ? validateEmbedded(asJson(object), structural, undefined, this.#reader, { isResourceRoot: false }) : [];
    const repeated = (one: KubeObject): FieldErrorList => (structural.hasKeyedLists ? validateListTypes(asJson(one), structural, undefined) : []);
    return old === undefined || repeated(old).length === 0 ? [...embedded, ...repeated(object)] : embedded;
  }

  faultsBesideKind(object: KubeObject, old: KubeObject | undefined): FieldErrorList {
    return this.withRuleFaults(this.structureFaults(object, old, 'all'), object, old);
  }

  /** With what rules say, where the faults that were found, and those of the metadata (which others tell), leave them anything to judge. */
  withRuleFaults(
    found: FieldErrorList,
    object: KubeObject,
    old: KubeObject | undefined,
    ofMetadata: () => FieldErrorList = () => [],
  ): FieldErrorList {
    if (!this.hasRules) return found;
    if ([...ofMetadata(), ...found].some(({ type }) => blocking.has(type))) return [...found, uncheckedRules()];
    return [...found, ...this.judgedByRules(object, old).faults];
  }

  get hasRules(): boolean {
    return this.#structural?.hasRules === true;
  }

  /** What the rules of `x-kubernetes-validations` say to an object whose types are right. */
  judgedByRules(object: KubeObject, old: KubeObject | undefined): RuleFindings {
    if (this.#structural === undefined) return { faults: [], warnings: [], left: 0 };
    const known = this.knownFindings(object, old);
    if (known !== undefined) return known;
    this.#rules ??= new RuleValidator(this.#structural, true);
    const findings = this.#rules.validate(asJson(object), { old: old && asJson(old), isRatcheting: true });
    this.#judged.set(object, { old, findings });
    return findings;
  }

  /** What rules said when they were asked last; undefined where they were not. */
  knownFindings(object: KubeObject, old: KubeObject | undefined): RuleFindings | undefined {
    const known = this.#judged.get(object);
    return known !== undefined && known.old === old ? known.findings : undefined;
  }

  #pruned(object: JsonObject, unknown: string[] | undefined): JsonObject {
    if (this.#preservesAll) return object;
    const options = { isResourceRoot: true };
    if (unknown === undefined) return pruneNulls(prune(object, this.#structural, options), this.#structural) as JsonObject;
    const { value, unknownFields } = pruneNaming(object, this.#structural, options);
    unknown.push(...unknownFields);
    return pruneNulls(value, this.#structural) as JsonObject;
  }
}

function asJson(object: KubeObject): JsonObject {
  return object as unknown as JsonObject;
}

function asObject(object: JsonObject): KubeObject {
  return object as unknown as KubeObject;
}

/** With its keys as Go writes maps: in byte order. Of metadata the registry knows the order. */
function inOrder(object: JsonObject): JsonObject {
  const { metadata } = object;
  const sorted = withSortedKeys(metadata === undefined ? object : { ...object, metadata: null }) as JsonObject;
  if (metadata === undefined) return sorted;
  const keys = Object.keys(sorted);
  const isAsGiven = keys.every((key) => key === 'metadata' || sorted[key] === object[key]) && isSorted(Object.keys(object));
  return isAsGiven ? object : { ...sorted, metadata };
}
