/** `find`, as far as scripts that look around or clean up need it: depths, a type, a name, `-print` and `-delete`. */
import type { CommandContext } from './shell-commands.ts';
import { folderNames, fullPath, isFolder, normalPath, readFile } from './shell-files.ts';

interface Streams {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

interface Wanted {
  depthMin: number;
  depthMax: number;
  type: string;
  name: RegExp;
  deletes: boolean;
}

/** Answers its exit code. */
export function find(args: readonly string[], context: CommandContext, { out, err }: Streams): number {
  const at = args.findIndex((arg) => arg.startsWith('-'));
  const paths = at < 0 ? args : args.slice(0, at);
  const wanted = wantedOf(at < 0 ? [] : args.slice(at));
  if (typeof wanted === 'string') {
    err(`find: unrecognized: ${wanted}\n`);
    return 1;
  }
  let status = 0;
  for (const path of paths.length === 0 ? ['.'] : paths) {
    const full = normalPath(fullPath(path, context));
    if (readFile(full, context) === undefined && !isFolder(full, context)) {
      err(`find: ${path}: No such file or directory\n`);
      status = 1;
      continue;
    }
    // What is deleted goes from the leaves.
    const found = [...walk(full, 0, wanted, context)];
    for (const one of wanted.deletes ? found.toReversed() : found) {
      if (wanted.deletes) delete context.host.files[one];
      else out(`${one === full ? path : path.replace(/\/$/, '') + one.slice(full === '/' ? 0 : full.length)}\n`);
    }
  }
  return status;
}

function* walk(path: string, depth: number, wanted: Wanted, context: CommandContext): Generator<string> {
  context.budget.text(path.length);
  const folder = isFolder(path, context);
  const isOfType = wanted.type === '' || (wanted.type === 'd') === folder;
  if (depth >= wanted.depthMin && isOfType && wanted.name.test(path.slice(path.lastIndexOf('/') + 1))) yield path;
  if (!folder || depth >= wanted.depthMax) return;
  for (const name of folderNames(path, context)) yield* walk(`${path === '/' ? '' : path}/${name}`, depth + 1, wanted, context);
}

function wantedOf(args: readonly string[]): Wanted | string {
  const wanted: Wanted = { depthMin: 0, depthMax: Number.POSITIVE_INFINITY, type: '', name: /^/, deletes: false };
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? '';
    if (arg === '-delete') wanted.deletes = true;
    else if (arg !== '-print') {
      const value = args[++i] ?? '';
      if (arg === '-mindepth') wanted.depthMin = Number(value);
      else if (arg === '-maxdepth') wanted.depthMax = Number(value);
      else if (arg === '-type') wanted.type = value;
      else if (arg === '-name') wanted.name = namePattern(value);
      else return arg;
    }
  }
  return wanted;
}

/** `*` and `?` alone; runs of stars are one, so that it takes linear time for each. */
function namePattern(text: string): RegExp {
  const parts = text.replace(/\*+/g, '*').replace(/[.+^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${parts.replaceAll('*', '[^/]*').replaceAll('?', '[^/]')}$`);
}
