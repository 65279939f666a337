/**
 * The JSON of a decision record for the digest: the same text as `encodeJson` makes. Most of a record is its table of scores, fifty nodes
 * whose rows are mostly one and the same: each row is written once.
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

export function decisionText(record: object): string {
  const { scores, ...rest } = record as { readonly scores?: Scores };
  if (scores === undefined || Object.keys(record).at(-1) !== 'scores') return encodeJson(record);
  const table = scoresText(scores);
  return table === undefined ? encodeJson(record) : `${encodeJson(rest).slice(0, -1)},"scores":${table}}`;
}

/** Undefined for a table of other fields, or with names that are not written as they stand. */
function scoresText(scores: Scores): string | undefined {
  const { plugins, weights, nodes, values, raw } = scores;
  if (Object.keys(scores).join() !== 'plugins,weights,nodes,values,raw' || nodes.length === 0 || !plainNames.test(nodes.join())) return undefined;
  return `{"plugins":${encodeJson(plugins)},"weights":${encodeJson(weights)},"nodes":["${nodes.join('","')}"],"values":[${rowTexts(values).join(',')}],"raw":[${rowTexts(raw).join(',')}]}`;
}

function rowTexts(values: Scores['values']): readonly string[] {
  let last: readonly number[] | undefined;
  let text = '';
  return values.map((row) => {
    if (row !== last) text = encodeJson(row);
    last = row;
    return text;
  });
}
