/** Values that a file exports and that nothing else names: dead, or for nobody but the file itself. Types stay: they say what a signature is made of. */
const exported = /^export (?:async )?(?:function\*?|const|class|abstract class|enum) ([A-Za-z_$][\w$]*)/gm;

/** What is for people who use the package: nothing in it needs to be named here. */
const publicFiles: ReadonlySet<string> = new Set(['engine/library.ts']);

export interface NamedSource {
  readonly path: string;
  readonly text: string;
}

/** `PATH: NAME` for each export of `sources` that no file of `namers` but its own has as a word, in code or in a comment. */
export function unnamedExports(sources: readonly NamedSource[], namers: readonly NamedSource[]): readonly string[] {
  const filesOf = new Map<string, number>();
  for (const { text } of namers) for (const word of new Set(text.match(/[A-Za-z_$][\w$]*/g))) filesOf.set(word, (filesOf.get(word) ?? 0) + 1);
  return sources
    .filter(({ path }) => !publicFiles.has(path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(exported)].filter(([, name]) => (filesOf.get(name as string) ?? 0) < 2).map(([, name]) => `${path}: ${name}`),
    );
}
