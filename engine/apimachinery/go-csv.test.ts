import { expect, test } from 'vitest';
import { type CsvDialect, csvRecords } from './go-csv.ts';

test('records are what stands on lines that are not empty, and quotes keep all', () => {
  const text = 'a,"b,""c""",\r\n\n\r\n"d\r\ne",,f\n,\n"g"\r';
  expect([...csvRecords(text)]).toEqual([['a', 'b,"c"', ''], ['d\ne', '', 'f'], ['', ''], ['g']]);
});

// What real API servers of both releases said of files of tokens.
test.each<[text: string, dialect: CsvDialect, said: string]>([
  ['a,b"c,d\n', 'present', 'parse error on line 1, column 4: bare " in non-quoted-field'],
  ['a,b"c,d\n', 'old', 'parse error on line 1, column 3: bare " in non-quoted-field'],
  ['a,b,c\nd, "e",f\n', 'present', 'parse error on line 2, column 4: bare " in non-quoted-field'],
  ['a,"b"c,d\n', 'present', 'parse error on line 1, column 5: extraneous or missing " in quoted-field'],
  ['a,"b"c,d\n', 'old', 'parse error on line 1, column 4: extraneous or missing " in quoted-field'],
  ['ä,"b\nö"c', 'present', 'record on line 1; parse error on line 2, column 3: extraneous or missing " in quoted-field'],
  ['ä,"b\nö"c', 'old', 'record on line 1; parse error on line 2, column 1: extraneous or missing " in quoted-field'],
  ['a,"b,c\n', 'present', 'parse error on line 1, column 8: extraneous or missing " in quoted-field'],
  ['a,"b,c\n', 'old', 'record on line 1; parse error on line 2, column 0: extraneous or missing " in quoted-field'],
])('%j is refused by the %s reader', (text, dialect, said) => {
  expect(() => [...csvRecords(text, dialect)]).toThrow(said);
});
