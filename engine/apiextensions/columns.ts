/**
 * How custom objects are printed: their name, and a cell for each column that the definition names. Mirrors apiextensions-apiserver
 * pkg/registry/customresource/tableconvertor.
 */
import type { CustomResourceColumnDefinition } from '../api/apiextensions/v1/types.gen.ts';
import { inOneUnit } from '../apimachinery/time.ts';
import type { JsonObject } from '../base/json.ts';
import type { KindDefinition, TableColumn } from '../contracts/kind.ts';
import { printerColumnsOf } from './schema/json-path.ts';

const ageColumn: CustomResourceColumnDefinition = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' };

/** `isBrief`: dates are told in one unit. */
export function printedBy(
  given: readonly CustomResourceColumnDefinition[] | undefined,
  isBrief: boolean,
): Required<Pick<KindDefinition, 'columns' | 'row'>> {
  const printed = printerColumnsOf(given === undefined || given.length === 0 ? [ageColumn] : given);
  return {
    columns: [{ name: 'Name', type: 'string', format: 'name' }, ...printed.map(({ definition }) => headOf(definition))],
    row: (object, { nowMs }) => [
      object.metadata.name ?? '',
      ...printed.map(({ cell, definition }) => {
        const said = cell(object as unknown as JsonObject, nowMs);
        return isBrief && definition.type === 'date' && typeof said === 'string' ? inOneUnit(said) : said;
      }),
    ],
  };
}

function headOf(column: CustomResourceColumnDefinition): TableColumn {
  const { name, type, format, description, priority, jsonPath } = column;
  return {
    name,
    type: type as TableColumn['type'],
    ...(format ? { format } : {}),
    ...(priority ? { priority } : {}),
    // Of its own column the table knows the words.
    ...(column === ageColumn ? {} : { description: description || `Custom resource definition column (in JSONPath format): ${jsonPath}` }),
  };
}
