/**
 * The JSON of a decision record for the digest: the same text as `encodeJson` makes. Most of a record is its table of scores, fifty nodes
 * whose rows are mostly one and the same where nodes are alike: then each row is written once.
 */
import { encodeJson } from '../apimachinery/serializer/json.ts';

interface Scores {
  readonly plugins: readonly string[];
  readonly weights: readonly number[];
  readonly nodes: readonly string[];
  readonly values: readonly (readonly number[])[];
  readonly raw: readonly (readonly number[])[];
}

/** Names that stand in JSON as they are. */
const plainNames = /^[-a-z0-9.,]*$/;

/** Where the table goes: inside of texts quotation marks are escaped, and no reason or plugin has a number for its nodes. */
const place = '"scores":0';

export function decisionText(record: object): string {
  const { scores } = record as { readonly scores?: Scores };
  const table = scores === undefined ? undefined : scoresText(scores);
  if (table === undefined) return encodeJson(record);
  const rest = encodeJson({ ...record, scores: 0 });
  const at = rest.indexOf(place);
  return `${rest.slice(0, at + place.length - 1)}${table}${rest.slice(at + place.length)}`;
}

/** With more different rows than these the encoder is quicker as it is. */
const changesMax = 10;

/** Undefined for a table of many different rows or other fields, or with names that are not written as they stand. */
function scoresText(scores: Scores): string | undefined {
  const { plugins, weights, nodes, values, raw } = scores;
  if (Object.keys(scores).join() !== 'plugins,weights,nodes,values,raw' || nodes.length === 0 || !plainNames.test(nodes.join())) return undefined;
  if (changesIn(values) + changesIn(raw) > changesMax) return undefined;
  return `{"plugins":${encodeJson(plugins)},"weights":${encodeJson(weights)},"nodes":["${nodes.join('","')}"],"values":[${rowsText(values)}],"raw":[${rowsText(raw)}]}`;
}

function changesIn(rows: Scores['values']): number {
  let changes = 0;
  for (let n = 0; n < rows.length; n++) if (rows[n] !== rows[n - 1]) changes++;
  return changes;
}

/** The rows as JSON, with commas between them; each run of one row is written once. */
function rowsText(values: Scores['values']): string {
  let text = '';
  for (let n = 0; n < values.length; ) {
    const row = values[n];
    let end = n + 1;
    while (end < values.length && values[end] === row) end++;
    text += `,${encodeJson(row)}`.repeat(end - n);
    n = end;
  }
  return text.slice(1);
}
