/** What columns of tables are for, in the words of the fields that they show. */
import { getOwn } from '../base/dictionary.ts';
import { columnFields, commonFields } from './column-fields.ts';
import type { DescribeColumn } from './encoder.ts';
import { type Descriptions, withoutListedValues } from './openapi/descriptions.ts';

export function columnDescriptions(descriptions: Pick<Descriptions, 'of'>): DescribeColumn {
  return (kind, column) => {
    const place = getOwn(getOwn(columnFields, kind) ?? {}, column) ?? getOwn(commonFields, column);
    if (place === undefined) return '';
    const end = place.lastIndexOf('.');
    return withoutListedValues(descriptions.of(place.slice(0, end))?.fields.get(place.slice(end + 1)) ?? '');
  };
}
