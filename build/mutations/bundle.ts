/** The swarm with some edits of the engine's source, as one file: nothing on the disk but the bundle is touched. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

export interface Edit {
  /** From the root of the repository. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** The edited sources by path; throws when a text to replace is not there exactly once. */
export function edited(root: string, edits: readonly Edit[]): ReadonlyMap<string, string> {
  const sources = new Map<string, string>();
  for (const { file, from, to } of edits) {
    const path = join(root, file);
    const source = sources.get(path) ?? readFileSync(path, 'utf8');
    const times = source.split(from).length - 1;
    if (times !== 1) throw new Error(`${file}: the text to replace is there ${times} times:\n${from}`);
    sources.set(
      path,
      source.replace(from, () => to),
    );
  }
  return sources;
}

export async function bundle(root: string, outfile: string, edits: readonly Edit[]): Promise<void> {
  const sources = edited(root, edits);
  await build({
    entryPoints: [join(root, 'build/mutations/seeds.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    packages: 'external',
    logLevel: 'error',
    plugins: [
      {
        name: 'mutation',
        setup: ({ onLoad }) => {
          onLoad({ filter: /\.ts$/ }, ({ path }) => {
            const contents = sources.get(path);
            return contents === undefined ? undefined : { contents, loader: 'ts' };
          });
        },
      },
    ],
  });
}
