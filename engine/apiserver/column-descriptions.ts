/** What columns of tables are for, in the words of the fields that they show. */
import { getOwn } from '../base/dictionary.ts';
import type { ColumnFields } from '../contracts/release-documents.ts';
import { columnFields, commonFields } from './column-fields.ts';
import type { DescribeColumn } from './encoder.ts';
import { type Descriptions, withoutListedValues } from './openapi/descriptions.ts';

/** `then`: where a release gone by described them. */
export function columnDescriptions(descriptions: Pick<Descriptions, 'of'>, then: ColumnFields = {}): DescribeColumn {
  return (kind, column) => {
    const places = [then, columnFields].map((fields) => getOwn(getOwn(fields, kind) ?? {}, column));
    const place = places.find((found) => found !== undefined) ?? getOwn(commonFields, column);
    if (place === undefined) return '';
    const end = place.lastIndexOf('.');
    const said = withoutListedValues(descriptions.of(place.slice(0, end))?.fields.get(place.slice(end + 1)) ?? '');
    // Upstream's printers read what its generator makes of comments, which looks no further than three dashes and ends with the last word.
    return said.replace(/\n+$/, '').replace(/---.*$/s, ' ');
  };
}
