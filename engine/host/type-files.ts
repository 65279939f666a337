/**
 * Files of the package `kubernetes-types`, whose comments say what fields are for: beside the bundle, where the build put a copy, or
 * among the installed packages when the engine runs from its sources. Without them nothing is said of fields.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const named = /^[a-z]+\/v\d+[a-z\d]*\.d\.ts$/;

export function readTypes(path: string): string | undefined {
  if (!named.test(path)) return undefined;
  const here = dirname(fileURLToPath(import.meta.url));
  const folders = [join(here, 'kubernetes-types'), join(here, '..', '..', 'node_modules', 'kubernetes-types')];
  const file = folders.map((folder) => join(folder, path)).find((candidate) => existsSync(candidate));
  return file === undefined ? undefined : readFileSync(file, 'utf8');
}
