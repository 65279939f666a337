/** Fields of custom objects that field selectors may name. Mirrors apiextensions-apiserver pkg/registry/customresource/strategy.go. */
import type { SelectableField } from '../api/apiextensions/v1/types.gen.ts';
import type { JsonObject } from '../base/json.ts';
import type { KindDefinition } from '../contracts/kind.ts';
import { stepsOf, valueAt } from './names.ts';

/** Simple paths to scalars, which is what a definition may name; a field that is not there reads as empty. */
export function selectableBy(fields: readonly SelectableField[] | undefined): NonNullable<KindDefinition['selectableFields']> {
  return Object.fromEntries(
    (fields ?? []).map(({ jsonPath }) => {
      const steps = stepsOf(jsonPath);
      return [
        steps.join('.'),
        (object) => {
          const value = valueAt(object as unknown as JsonObject, steps);
          return value === undefined || value === null ? '' : String(value);
        },
      ];
    }),
  );
}
