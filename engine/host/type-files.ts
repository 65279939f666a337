/**
 * Files of the packages whose comments say what fields and parameters are for: beside the bundle, where the build put a copy, or among the installed
 * packages when the engine runs from its sources. Without them nothing is said of them.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const named =
  /^(kubernetes-types(?:-1\.17)?|kubernetes-models|@kubernetes-models\/apimachinery|@kubernetes\/client-node\/dist)(\/[a-z][\w.]*)+\.d\.ts$/i;

export function readTypes(path: string): string | undefined {
  if (!named.test(path)) return undefined;
  const here = dirname(fileURLToPath(import.meta.url));
  const folders = [join(here, 'types'), join(here, '..', '..', 'node_modules')];
  const file = folders.map((folder) => join(folder, path)).find((candidate) => existsSync(candidate));
  return file === undefined ? undefined : readFileSync(file, 'utf8');
}
