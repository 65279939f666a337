/**
 * The rules of a definition's schema when it is written: what they say, what they may cost, alone and together, and where they may look at
 * what was there before. Mirrors ValidateCustomResourceDefinitionOpenAPISchema and cel_validation.go of pkg/apis/apiextensions/validation.
 */
import type { JSONSchemaProps } from '../../api/apiextensions/v1/types.gen.ts';
import { type FieldError, type FieldErrorList, type FieldPath, forbidden, internal, invalid } from '../../apimachinery/field-errors.ts';
import { toNumber } from '../../base/int64.ts';
import type { JsonObject } from '../../base/json.ts';
import { ruleForm } from '../schema/internal-form.ts';
import type { RulePlace, SchemaRuleJudge } from '../schema/schema-rules.ts';
import { structuralOf, type Structural } from '../schema/structural.ts';
import { type CompiledRule, compileRules, selfName } from './compile.ts';
import { SchemaTypes } from './types.ts';

/** Of one rule, and of all of a schema. */
const ruleCostMax = 10_000_000;
const schemaCostMax = 100_000_000;
const bytesMax = 3 * 1024 * 1024;
const shownMax = 4;
/** Upstream's numbers end there. */
const costEnd = 2 ** 64;

interface Costly {
  readonly path: FieldPath;
  readonly cost: number;
}

/** One judges one schema. `mayCost`: a rule may cost more than it should, since nothing of the schema has changed. */
export class DefinitionRuleJudge implements SchemaRuleJudge {
  readonly #types = new SchemaTypes();
  readonly #schemas = new WeakMap<RulePlace, Structural>();
  readonly #times = new WeakMap<RulePlace, { readonly most: number | undefined }>();
  readonly #mayCost: boolean;
  #total = 0;
  #costliest: readonly Costly[] = [];

  constructor({ mayCost = false }: { readonly mayCost?: boolean } = {}) {
    this.#mayCost = mayCost;
  }

  judge(place: RulePlace): FieldErrorList {
    const at = place.path.child('x-kubernetes-validations');
    const s = this.#schemaOf(place);
    const isRoot = place.above === undefined || s.embeddedResource;
    const type = this.#types.typeOf(s, isRoot, selfName);
    if (type === undefined) {
      const why = 'unable to convert structural schema to CEL declarations';
      return [internal(at, `internal error: failed to construct type information for x-kubernetes-validations rules: ${why}`)];
    }
    const out: FieldError[] = [];
    const most = this.#timesOf(place) ?? Math.floor(bytesMax / ((this.#types.leastSize(s, isRoot) ?? 0) + 1));
    for (const [index, compiled] of compileRules(s, type).entries()) this.#judgeRule(compiled, at.index(index), most, place, out);
    return out;
  }

  #judgeRule(compiled: CompiledRule, at: FieldPath, most: number, { uncorrelatedWithin }: RulePlace, out: FieldError[]): void {
    const { rule, program, fault, message, messageFault, usesOldSelf } = compiled;
    const cost = multiplied(program?.costMax ?? 0, most);
    if (cost > ruleCostMax && !this.#mayCost) out.push(forbidden(at.child('rule'), costText('estimated rule cost', cost, ruleCostMax)));
    this.#add(at.child('rule'), cost);
    const shown = ruleForm(rule as unknown as JsonObject);
    if (fault !== undefined) out.push(invalid(at.child('rule'), shown, fault));
    if (messageFault !== undefined) out.push(invalid(at.child('messageExpression'), shown, messageFault));
    if (message !== undefined) {
      const own = Math.min(message.costMax, costEnd);
      if (own > ruleCostMax && !this.#mayCost)
        out.push(forbidden(at.child('messageExpression'), costText('estimated messageExpression cost', own, ruleCostMax)));
      this.#add(at.child('messageExpression'), own);
    }
    if (usesOldSelf && uncorrelatedWithin !== undefined) {
      const why = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelatedWithin.toString()}`;
      out.push(invalid(at.child('rule'), rule.rule, why));
    }
    const { optionalOldSelf } = rule;
    if (!usesOldSelf && optionalOldSelf !== undefined && optionalOldSelf !== null)
      out.push(invalid(at.child('optionalOldSelf'), optionalOldSelf, 'may not be set if oldSelf is not used in rule'));
  }

  /** What all rules together cost too much; told last. */
  total(path: FieldPath): FieldErrorList {
    if (this.#total <= schemaCostMax) return [];
    const why = 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema';
    const name = 'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema';
    return [...this.#costliest.map((one) => forbidden(one.path, why)), forbidden(path, costText(name, this.#total, schemaCostMax))];
  }

  #add(path: FieldPath, cost: number): void {
    this.#total = Math.min(this.#total + cost, costEnd);
    if (cost < schemaCostMax / 100) return;
    this.#costliest = [...this.#costliest, { path, cost }].toSorted((a, b) => b.cost - a.cost).slice(0, shownMax);
  }

  /** Schemas are read once, from the root, which has them all. */
  #schemaOf(place: RulePlace): Structural {
    const known = this.#schemas.get(place);
    if (known !== undefined) return known;
    const found = (place.above === undefined ? undefined : below(this.#schemaOf(place.above.place), place.above)) ?? structuralOf(place.schema);
    this.#schemas.set(place, found);
    return found;
  }

  /** How often there can be a value of the schema; undefined where nothing above it says how many. */
  #timesOf(place: RulePlace): number | undefined {
    const known = this.#times.get(place);
    if (known !== undefined) return known.most;
    const { above } = place;
    const before = above === undefined ? 1 : this.#timesOf(above.place);
    const own = above === undefined ? 1 : elementsMax(above.place.schema);
    const most = before === undefined || own === undefined ? undefined : multiplied(before, own);
    this.#times.set(place, { most });
    return most;
  }
}

function below(s: Structural, { by, name }: NonNullable<RulePlace['above']>): Structural | undefined {
  if (by === 'property') return s.properties.get(name);
  if (by === 'items') return s.items;
  return typeof s.additionalProperties === 'object' ? s.additionalProperties : undefined;
}

/** By what a schema multiplies what stands below it. */
function elementsMax({ type, additionalProperties, maxProperties, maxItems }: JSONSchemaProps): number | undefined {
  const isMap = type === 'object' && additionalProperties !== undefined && additionalProperties !== null;
  if (!isMap && type !== 'array') return 1;
  const most = isMap ? maxProperties : maxItems;
  return most === undefined || most === null ? undefined : Math.max(0, toNumber(most));
}

function multiplied(cost: number, often: number): number {
  return cost === 0 || often === 0 ? 0 : Math.min(cost * often, costEnd);
}

function costText(name: string, cost: number, most: number): string {
  const factor = cost / most;
  const by = factor > 100 ? 'more than 100x' : factor < 1.5 ? `${factor.toFixed(6)}x` : `${factor.toFixed(1)}x`;
  const advice = 'try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared';
  return `${name} exceeds budget by factor of ${by} (${advice})`;
}
