/** `touch`, `rm`, `cp`, `mv`, `mkdir`: what changes which files there are, with the words of busybox where it cannot. Each answers its exit code. */
import type { CommandContext, Streams } from './shell-commands.ts';
import { fullPath, isFolder, normalPath, readFault, readFile, writeFault, writeFile } from './shell-files.ts';

const missing = 'No such file or directory';

function pathsOf(args: readonly string[]): readonly string[] {
  return args.filter((arg) => !arg.startsWith('-'));
}

function has(flag: string, args: readonly string[]): boolean {
  return args.some((arg) => /^-[a-zA-Z]+$/.test(arg) && arg.includes(flag));
}

/** Tells each path that does not work out. */
function each(paths: readonly string[], { err }: Streams, step: (path: string) => string | undefined): number {
  let status = 0;
  for (const path of paths) {
    const fault = step(path);
    if (fault === undefined) continue;
    err(`${fault}\n`);
    status = 1;
  }
  return status;
}

export function touch(args: readonly string[], context: CommandContext, streams: Streams): number {
  return each(pathsOf(args), streams, (path) => {
    const fault = writeFault(path, context);
    if (fault !== undefined) return `touch: ${path}: ${fault}`;
    writeFile(normalPath(fullPath(path, context)), readFile(path, context) ?? '', context);
    return undefined;
  });
}

/** The files at a path or below it that can go. */
function filesAt(full: string, { host }: CommandContext): readonly string[] {
  return Object.keys(host.files).filter((one) => one === full || one.startsWith(`${full}/`));
}

export function remove(args: readonly string[], context: CommandContext, streams: Streams): number {
  return each(pathsOf(args), streams, (path) => {
    const full = normalPath(fullPath(path, context));
    const fault = writeFault(path, context);
    const hits = filesAt(full, context);
    if (fault !== undefined && (hits.length > 0 || readFile(full, context) !== undefined)) return `rm: can't remove '${path}': ${fault}`;
    for (const hit of hits) delete context.host.files[hit];
    return hits.length > 0 || has('f', args) ? undefined : `rm: can't remove '${path}': ${missing}`;
  });
}

/** Where something goes that is put to a path: into it where it is a folder. */
function goal(from: string, to: string, context: CommandContext): string {
  const full = normalPath(fullPath(to, context));
  return isFolder(to, context) ? normalPath(`${full}/${from.slice(from.lastIndexOf('/') + 1)}`) : full;
}

export function copy(args: readonly string[], context: CommandContext, streams: Streams): number {
  const paths = pathsOf(args);
  const to = paths.at(-1) ?? '';
  return each(paths.slice(0, -1), streams, (path) => {
    const from = normalPath(fullPath(path, context));
    const target = goal(from, to, context);
    const broken = readFault(path, context);
    if (broken !== undefined) return `cp: can't open '${path}': ${broken}`;
    const isDeep = has('r', args) || has('R', args) || has('a', args);
    const hits = readFile(from, context) !== undefined ? [from] : isDeep ? filesAt(from, context) : [];
    if (hits.length === 0)
      return isFolder(path, context) ? (isDeep ? undefined : `cp: omitting directory '${path}'`) : `cp: can't stat '${path}': ${missing}`;
    const fault = writeFault(target, context);
    if (fault !== undefined) return `cp: can't create '${target}': ${fault}`;
    for (const hit of hits) writeFile(target + hit.slice(from.length), readFile(hit, context) ?? '', context);
    return undefined;
  });
}

export function move(args: readonly string[], context: CommandContext, streams: Streams): number {
  const paths = pathsOf(args);
  const to = paths.at(-1) ?? '';
  return each(paths.slice(0, -1), streams, (path) => {
    const from = normalPath(fullPath(path, context));
    const hits = filesAt(from, context);
    const target = goal(from, to, context);
    const fault = writeFault(path, context) ?? writeFault(target, context);
    if (hits.length === 0) return `mv: can't rename '${path}': ${fault !== undefined && readFile(from, context) !== undefined ? fault : missing}`;
    if (fault !== undefined) return `mv: can't rename '${path}': ${fault}`;
    if (target === from || target.startsWith(`${from}/`)) return target === from ? undefined : `mv: can't rename '${path}': Invalid argument`;
    for (const hit of hits) {
      const text = context.host.files[hit] ?? '';
      // What it took is free before it is needed again.
      delete context.host.files[hit];
      writeFile(target + hit.slice(from.length), text, context);
    }
    if (has('v', args)) streams.out(`'${path}' -> '${target}'\n`);
    return undefined;
  });
}

/** Folders are there by what is in them: only what forbids one is told. */
export function makeFolders(args: readonly string[], context: CommandContext, streams: Streams): number {
  return each(pathsOf(args), streams, (path) => {
    const fault = isFolder(path, context) ? undefined : writeFault(path, context);
    return fault === undefined ? undefined : `mkdir: can't create directory '${path}': ${fault}`;
  });
}
