/**
 * Judges values of custom resources by the rules of their schema, within a budget. Mirrors pkg/apiserver/schema/cel/validation.go of
 * apiextensions-apiserver. Upstream meets members in the random order of Go's maps; here it is the object's.
 */
import { type FieldError, FieldPath, root } from '../../apimachinery/field-errors.ts';
import { getOwn } from '../../base/dictionary.ts';
import { isList, isObject, type JsonValue } from '../../base/json.ts';
import { Correlation } from '../schema/correlation.ts';
import type { Structural } from '../schema/structural.ts';
import { type CompiledRule, compileRules, selfName } from './compile.ts';
import { judgeRules, type RuleRun } from './judge.ts';
import { SchemaTypes } from './types.ts';
import type { CelType } from '../../cel/types.ts';

/** Of all rules of one object, in upstream's units: about a second. */
export const costBudget = 10_000_000;

/** A schema that has rules, or something below it has. */
interface Node {
  readonly schema: Structural;
  readonly type: CelType;
  readonly isResourceRoot: boolean;
  rules: readonly CompiledRule[] | undefined;
  readonly items: Node | undefined;
  readonly values: Node | undefined;
  readonly properties: ReadonlyMap<string, Node>;
}

export interface RuleFindings {
  readonly faults: readonly FieldError[];
  /** Of violations by what did not change. */
  readonly warnings: readonly FieldError[];
  /** Below 0 where it ran out. */
  readonly left: number;
}

export interface RuleOptions {
  readonly path?: FieldPath | undefined;
  /** What was there before; undefined where nothing was. */
  readonly old?: JsonValue | undefined;
  /** Violations by what did not change are warned of alone. */
  readonly isRatcheting?: boolean;
  readonly budget?: number;
}

/** What was there before: the value itself or, where it cannot be told, the nearest around it. */
interface Before {
  readonly current: Correlation | undefined;
  readonly nearest: Correlation | undefined;
}

const unknown: Before = { current: undefined, nearest: undefined };

export class RuleValidator {
  readonly #types = new SchemaTypes();
  readonly #root: Node | undefined;

  constructor(schema: Structural, isResourceRoot: boolean) {
    this.#root = this.#nodeOf(schema, isResourceRoot);
  }

  /** False where no rule is. */
  get hasRules(): boolean {
    return this.#root !== undefined;
  }

  validate(value: JsonValue, { path, old, isRatcheting = false, budget = costBudget }: RuleOptions = {}): RuleFindings {
    const run: RuleRun = { types: this.#types, faults: [], warnings: [], left: budget };
    if (this.#root === undefined) return run;
    const current = isRatcheting && old !== undefined ? new Correlation(value, old, this.#root.schema) : undefined;
    this.#validate(this.#root, value, old, path, { current, nearest: undefined }, run);
    return run;
  }

  #nodeOf(s: Structural, isResourceRoot: boolean): Node | undefined {
    if (!s.hasRules) return undefined;
    const type = this.#types.typeOf(s, isResourceRoot, selfName);
    if (type === undefined) return undefined;
    const schema = this.#types.seen(s, isResourceRoot);
    const within = (one: Structural | boolean | undefined): Node | undefined =>
      typeof one === 'object' ? this.#nodeOf(one, one.embeddedResource) : undefined;
    const properties = new Map(
      [...schema.properties].flatMap(([name, one]) => {
        const node = within(one);
        return node === undefined ? [] : [[name, node] as const];
      }),
    );
    return { schema, type, isResourceRoot, rules: undefined, items: within(schema.items), values: within(schema.additionalProperties), properties };
  }

  #validate(node: Node, value: JsonValue, old: JsonValue | undefined, path: FieldPath | undefined, before: Before, run: RuleRun): void {
    if (value === null) return;
    node.rules ??= compileRules(node.schema, node.type);
    const isUnchanged = (): boolean => (before.current ?? before.nearest)?.isUnchanged === true;
    if (node.rules.length > 0) judgeRules(node.rules, { value, old: old ?? undefined, schema: node.schema, path, isUnchanged }, run);
    if (run.left < 0) return;
    if (isList(value)) this.#validateItems(node, value, isList(old) ? old : [], path, before, run);
    else if (isObject(value)) this.#validateMembers(node, value, isObject(old) ? old : {}, path, before, run);
  }

  #validateMembers(
    node: Node,
    value: { readonly [key: string]: JsonValue },
    old: { readonly [key: string]: JsonValue },
    path: FieldPath | undefined,
    before: Before,
    run: RuleRun,
  ): void {
    const { values, properties } = node;
    for (const [name, member] of Object.entries(value)) {
      if (values !== undefined) this.#validate(values, member, getOwn(old, name), keyOf(path, name), memberOf(before, name), run);
      if (run.left < 0) return;
    }
    for (const [name, member] of properties.size === 0 ? [] : Object.entries(value)) {
      const property = properties.get(name);
      if (property === undefined) continue;
      this.#validate(property, member, getOwn(old, name), path === undefined ? root(name) : path.child(name), memberOf(before, name), run);
      if (run.left < 0) return;
    }
  }

  #validateItems(
    { items, schema }: Node,
    value: readonly JsonValue[],
    old: readonly JsonValue[],
    path: FieldPath | undefined,
    before: Before,
    run: RuleRun,
  ): void {
    if (items === undefined) return;
    const matched = new Correlation(value, old, schema);
    for (const [index, item] of value.entries()) {
      const at = path === undefined ? new FieldPath(undefined, '', index) : path.index(index);
      const nearest = before.current;
      const next: Before = nearest === undefined ? before : { current: nearest.item(index), nearest };
      this.#validate(items, item, matched.item(index)?.old, at, next, run);
      if (run.left < 0) return;
    }
  }
}

function keyOf(path: FieldPath | undefined, name: string): FieldPath {
  return path === undefined ? new FieldPath(undefined, '', name) : path.key(name);
}

/** The type of a whole object is never what it was: both were converted to the same one. */
function memberOf(before: Before, name: string): Before {
  const { current, nearest } = before;
  if (current === undefined) return before;
  if (nearest === undefined && (name === 'apiVersion' || name === 'kind')) return unknown;
  return { current: current.field(name), nearest: current };
}
