/** Lists of flags: the first record of a text, as encoding/csv reads it. */
import { CsvFault, csvRecords } from '../../apimachinery/go-csv.ts';
import type { FlagDialect } from './go-values.ts';
import { ValueError } from './value-error.ts';

/** Its fields; none of an empty text. Throws a ValueError with the words of the dialect. */
export function readCsvRecord(text: string, dialect: FlagDialect): readonly string[] {
  if (text === '') return [];
  try {
    for (const record of csvRecords(text, dialect)) return record;
  } catch (error) {
    if (error instanceof CsvFault) throw new ValueError(error.message);
    throw error;
  }
  throw new ValueError('EOF');
}
