/**
 * Plain objects indexed by keys that somebody else chose: `constructor` and `toString` are found in all of them, and `__proto__` changes
 * their ancestry. Writes and look-ups by variable keys go through engine/base/dictionary.ts, or to a Map. Looked for by shape: names
 * that the file declares with an index signature, and tables at the top of a file.
 */
const indexed = String.raw`(?:Readonly<Record<string, .*?>>|Record<string, .*?>|\{ (?:readonly )?\[\w+: string\]: [^;]*?\})`;
const declared = new RegExp(String.raw`\b(\w+)\??: ${indexed}(?: = (\S+))?`, 'g');
const table = new RegExp(String.raw`^(?:export )?const (\w+): ${indexed} = `, 'gm');
/** Not a text in quotes and not a number. */
const key = String.raw`\[(?!['"\`\d]|index\]|Number\()[^\]\n]+(?:\[[^\]\n]*\][^\]\n]*)*\]`;

/** Tables whose keys the code itself chose, each with what keeps others out. */
const closedTables: Readonly<Record<string, string>> = {
  'engine/apimachinery/serializer/json.ts escapes': 'single characters',
  'engine/component-helpers/quantity-amount.ts factors': 'suffixes that a pattern lets through',
  'engine/scheduler/framework/resources.ts suffixes': 'suffixes that a pattern lets through',
  'engine/apiserver/admission/plugins/node-restriction.ts checks': 'resources that are served',
  'engine/serving/page/assets.ts types': 'extensions begin with a dot',
  'renderer/views/cluster/PodLegend.tsx signs': 'a closed type',
  'renderer/views/timeline/RowLabel.tsx shortKinds': 'a Map would do; kinds begin with a capital',
  'electron/find-electron.ts programs': 'names of platforms',
};

export function dictionaryFaults(code: string, path = ''): readonly string[] {
  const written = [...code.matchAll(declared)].filter(
    ([, , first]) => first?.startsWith('dictionary') !== true && first?.startsWith('Object.create') !== true,
  );
  const writes = namesOf(written).flatMap((name) =>
    usesOf(code, name, String.raw`\s*(?:\?\?=|\|\|=|\+=|-=|=(?![=>]))`).map((use) => `${use} = …: setOwn`),
  );
  const looked = namesOf([...code.matchAll(table)]).filter((name) => closedTables[`${path} ${name}`] === undefined);
  return [...writes, ...looked.flatMap((name) => usesOf(code, name, '').map((use) => `${use}: getOwn`))];
}

function namesOf(matches: readonly RegExpMatchArray[]): readonly string[] {
  return [...new Set(matches.map(([, name]) => name as string))];
}

function usesOf(code: string, name: string, after: string): readonly string[] {
  return [...code.matchAll(new RegExp(String.raw`(?<![\w.#])${name}(?:\?\.)?${key}${after}`, 'g'))].map(([use]) => use.replace(/\s*[?|+-]*=$/, ''));
}
