/**
 * What expressions of mutating policies write down: `Object{spec: Object.spec{…}}` and `JSONPatch{op: …, path: …}`. Mirrors pkg/cel/mutation of
 * apiserver.
 */
import { setOwn } from '../base/dictionary.ts';
import type { JsonValue } from '../base/json.ts';
import type { StructType } from './checker.ts';
import { global, type Overload, traversalCost, traversed } from './functions.ts';
import { jsonOf } from './json.ts';
import { type CelType, dyn, listOf, string } from './types.ts';
import { CelError, celEqual, type CelObject, type CelValue, isList, isMap } from './values.ts';

const objectOf = (name: string): CelType => ({ kind: 'object', name, fields: { get: () => dyn } });
export const objectType = objectOf('Object');
const operationType: CelType = {
  kind: 'object',
  name: 'JSONPatch',
  fields: new Map([
    ['op', string],
    ['path', string],
    ['from', string],
    ['value', dyn],
  ]),
};
const nothing: CelType = { kind: 'opaque', name: '' };
export const operationsType = listOf(operationType);

class Made implements CelObject {
  readonly celType: string;
  readonly fields: ReadonlyMap<string, CelValue>;

  constructor(celType: string, fields: ReadonlyMap<string, CelValue>) {
    this.celType = celType;
    this.fields = fields;
  }

  field(name: string): CelValue | undefined {
    return this.fields.get(name);
  }

  isSet(name: string): boolean {
    return this.fields.has(name);
  }

  isZero(): boolean {
    return this.fields.size === 0;
  }

  equals(other: CelValue): boolean {
    if (!(other instanceof Made) || other.celType !== this.celType || other.fields.size !== this.fields.size) return false;
    return [...this.fields].every(([name, value]) => {
      const their = other.fields.get(name);
      return their !== undefined && celEqual(value, their);
    });
  }
}

/** A part of an object, named by where it stands. */
export class PatchObject extends Made {
  json(): JsonValue | undefined {
    const object: { [name: string]: JsonValue } = {};
    for (const [name, value] of this.fields) {
      const json = jsonOf(value);
      if (json === undefined) return undefined;
      setOwn(object, name, json);
    }
    return object;
  }

  /** Parts whose names are not where they stand. */
  misnamed(path: string = this.celType): readonly string[] {
    return misnamedIn(this, path);
  }
}

export class PatchOperation extends Made {}

function misnamedIn(value: CelValue, path: string): readonly string[] {
  if (isList(value)) return value.flatMap((one) => misnamedIn(one, path));
  if (isMap(value)) return value.keys().flatMap((key) => misnamedIn(value.get(key) ?? null, path));
  if (!(value instanceof PatchObject)) return [];
  const own =
    value.celType === path
      ? []
      : [`unexpected type name "${value.celType}", expected "${path}", which matches field name path from root Object type`];
  return [...own, ...[...value.fields].flatMap(([name, field]) => misnamedIn(field, `${path}.${name}`))];
}

/** The types that may be written down, by their names. */
export function patchTypes(name: string): StructType | undefined {
  if (name === 'JSONPatch')
    return {
      type: operationType,
      // Upstream has no type for a field that is not there, and nothing fits that.
      field: (field) => (operationType.kind === 'object' ? (operationType.fields.get(field) ?? nothing) : nothing),
      make: (fields) => {
        for (const field of fields.keys())
          if (!['op', 'path', 'from', 'value'].includes(field)) throw new CelError(`unexpected JSONPatchType field: ${field}`);
        return new PatchOperation(name, fields);
      },
    };
  if (name !== 'Object' && !name.startsWith('Object.')) return undefined;
  return { type: objectOf(name), field: () => dyn, make: (fields) => new PatchObject(name, fields) };
}

export const patchFunctions: readonly Overload[] = [
  global('jsonpatch.escapeKey', [string], string, (key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1'), {
    cost: ([size = 0]) => Math.ceil(size * traversalCost),
    spendByName: traversed(),
  }),
];
