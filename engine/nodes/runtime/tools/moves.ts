/** `touch`, `rm`, `cp`, `mv`, `mkdir`, `rmdir`, `ln`, `mktemp`: what changes which files there are, with the words of busybox where it cannot. */
import { getOwn } from '../../../base/dictionary.ts';
import type { CommandContext, SimpleCommand, Streams } from '../shell-commands.ts';
import {
  diskFault,
  folderNames,
  fullPath,
  isFolder,
  isOwnFolder,
  makeFolder,
  missing,
  normalPath,
  readFault,
  readFile,
  writeFault,
  writeFile,
} from '../shell-files.ts';
import { defineTool } from './options.ts';

/** Tells each path that does not work out. */
function each(paths: readonly string[], { err }: Streams, step: (path: string) => string | undefined): { status: number } {
  let status = 0;
  for (const path of paths) {
    const fault = step(path);
    if (fault === undefined) continue;
    err(`${fault}\n`);
    status = 1;
  }
  return { status };
}

const touch = defineTool({
  name: 'touch',
  options: 'camhd:t:r:',
  usage: '[-cham] [-d DATE] [-t DATE] [-r FILE] FILE...',
  atLeast: 1,
  run: (options, context, streams) =>
    each(options.rest, streams, (path) => {
      if (isFolder(path, context)) return undefined;
      const fault = writeFault(path, context);
      if (fault !== undefined) return `touch: ${path}: ${fault}`;
      if (options.has('c') && readFile(path, context) === undefined) return undefined;
      writeFile(normalPath(fullPath(path, context)), readFile(path, context) ?? '', context);
      return undefined;
    }),
});

/** The files at a path or below it that can go. */
function filesAt(full: string, { host }: CommandContext): readonly string[] {
  return Object.keys(host.files).filter((one) => one === full || one.startsWith(`${full}/`));
}

const rm = defineTool({
  name: 'rm',
  options: 'irRfv',
  usage: '[-irf] FILE...',
  run: (options, context, streams) => {
    if (options.rest.length === 0 && !options.has('f')) {
      streams.err('BusyBox multi-call binary.\n\nUsage: rm [-irf] FILE...\n');
      return { status: 1 };
    }
    const isDeep = options.has('r') || options.has('R');
    return each(options.rest, streams, (path) => {
      const full = normalPath(fullPath(path, context));
      const fault = diskFault(path, context);
      const hits = filesAt(full, context);
      const isThere = readFile(full, context) !== undefined;
      if (isFolder(full, context) && !isDeep && !isThere) return `rm: '${path}' is a directory`;
      if (fault !== undefined && (hits.length > 0 || isThere)) return `rm: can't remove '${path}': ${fault}`;
      for (const hit of hits) delete context.host.files[hit];
      return hits.length > 0 || options.has('f') ? undefined : `rm: can't remove '${path}': ${missing}`;
    });
  },
});

/** Where something goes that is put to a path: into it where it is a folder. */
function goal(from: string, to: string, context: CommandContext): string {
  const full = normalPath(fullPath(to, context));
  return isFolder(to, context) ? normalPath(`${full}/${from.slice(from.lastIndexOf('/') + 1)}`) : full;
}

const cp = defineTool({
  name: 'cp',
  options: 'arRfpinLPdlsuvTH',
  usage: '[-arPLHpfinlsTu] SOURCE... DEST',
  atLeast: 2,
  run: (options, context, streams) => {
    const to = options.rest.at(-1) ?? '';
    const isDeep = options.has('r') || options.has('R') || options.has('a');
    if (options.rest.length > 2 && !isFolder(to, context)) return refuse(`cp: target '${to}' is not a directory`, streams);
    return each(options.rest.slice(0, -1), streams, (path) => {
      const from = normalPath(fullPath(path, context));
      const target = goal(from, to, context);
      const broken = readFault(path, context);
      if (broken === missing) return `cp: can't stat '${path}': ${missing}`;
      if (broken !== undefined && broken !== 'Is a directory') return `cp: can't open '${path}': ${broken}`;
      if (broken !== undefined && !isDeep) return `cp: omitting directory '${path}'`;
      const hits = readFile(from, context) !== undefined ? [from] : filesBelow(from, context);
      const fault = isFolder(target, context) ? undefined : writeFault(target, context);
      if (fault !== undefined) return `cp: can't create '${target}': ${fault}`;
      if (broken !== undefined && hits.length === 0) makeFolder(target, context);
      for (const hit of hits) {
        if (options.has('n') && readFile(target + hit.slice(from.length), context) !== undefined) continue;
        writeFile(target + hit.slice(from.length), hit.endsWith('/') ? '' : (readFile(hit, context) ?? ''), context);
        if (options.has('v')) streams.out(`'${path}' -> '${target}'\n`);
      }
      return undefined;
    });
  },
});

/** Those that were mounted too. */
function filesBelow(full: string, context: CommandContext): readonly string[] {
  const mounted = (context.host.mounted?.() ?? []).filter((one) => one.startsWith(`${full}/`));
  return [...new Set([...filesAt(full, context), ...mounted])];
}

const mv = defineTool({
  name: 'mv',
  options: 'finvT',
  usage: '[-finT] SOURCE... DEST',
  atLeast: 2,
  run: (options, context, streams) => {
    const to = options.rest.at(-1) ?? '';
    if (options.rest.length > 2 && !isFolder(to, context)) return refuse(`mv: target '${to}' is not a directory`, streams);
    return each(options.rest.slice(0, -1), streams, (path) => {
      const from = normalPath(fullPath(path, context));
      const hits = filesAt(from, context);
      const target = goal(from, to, context);
      const fault = diskFault(path, context) ?? diskFault(target, context);
      if (hits.length === 0) return `mv: can't rename '${path}': ${fault !== undefined && readFile(from, context) !== undefined ? fault : missing}`;
      if (fault !== undefined) return `mv: can't rename '${path}': ${fault}`;
      if (target === from || target.startsWith(`${from}/`)) return target === from ? undefined : `mv: can't rename '${path}': Invalid argument`;
      if (options.has('n') && readFile(target, context) !== undefined) return undefined;
      for (const hit of hits) {
        const text = getOwn(context.host.files, hit) ?? '';
        // What it took is free before it is needed again.
        delete context.host.files[hit];
        writeFile(target + hit.slice(from.length), text, context);
      }
      if (options.has('v')) streams.out(`'${path}' -> '${target}'\n`);
      return undefined;
    });
  },
});

function refuse(fault: string, { err }: Streams): { status: number } {
  err(`${fault}\n`);
  return { status: 1 };
}

const mkdir = defineTool({
  name: 'mkdir',
  options: 'pm:v',
  usage: '[-m MODE] [-p] DIRECTORY...',
  long: { parents: 'p', mode: 'm' },
  atLeast: 1,
  run: (options, context, streams) =>
    each(options.rest, streams, (path) => {
      const full = normalPath(fullPath(path, context));
      const parent = full.slice(0, full.lastIndexOf('/')) || '/';
      const fault = (text: string): string => `mkdir: can't create directory '${path}': ${text}`;
      if (isFolder(full, context)) return options.has('p') ? undefined : fault('File exists');
      if (readFile(full, context) !== undefined) return fault('File exists');
      const disk = diskFault(full, context);
      if (disk !== undefined) return fault(disk);
      if (!options.has('p') && !isFolder(parent, context)) return fault(missing);
      // Folders above stay too when this one goes.
      for (let end = full.indexOf('/', 1); end > 0 && options.has('p'); end = full.indexOf('/', end + 1)) {
        context.budget.command();
        if (!isFolder(full.slice(0, end), context)) makeFolder(full.slice(0, end), context);
      }
      makeFolder(full, context);
      return undefined;
    }),
});

const rmdir = defineTool({
  name: 'rmdir',
  options: 'p',
  usage: '[-p] DIRECTORY...',
  atLeast: 1,
  run: (options, context, streams) =>
    each(options.rest, streams, (path) => {
      const full = normalPath(fullPath(path, context));
      if (!isFolder(full, context)) return `rmdir: '${path}': ${readFile(full, context) === undefined ? missing : 'Not a directory'}`;
      if (folderNames(full, context).length > 0) return `rmdir: '${path}': Directory not empty`;
      if (!isOwnFolder(full, context)) return `rmdir: '${path}': Resource busy`;
      delete context.host.files[`${full}/`];
      return undefined;
    }),
});

const ln: SimpleCommand = (_args, _context, streams) => refuse('ln: links are not simulated: there are files and folders', streams);

const mktemp = defineTool({
  name: 'mktemp',
  options: 'dtup:q',
  usage: '[-dt] [-p DIR] [TEMPLATE]',
  run: (options, context, streams) => {
    const folder = options.value('p') ?? '/tmp';
    const given = options.rest[0] ?? 'tmp.XXXXXX';
    if (!given.endsWith('XXXXXX')) return refuse(`mktemp: ${given}: Invalid argument`, streams);
    const place = given.includes('/') && !options.has('p') ? given : `${folder}/${given}`;
    // No chance is needed: the first name that is free.
    for (let number = 0; ; number++) {
      const path = place.replace(/X{6}$/, number.toString(36).padStart(6, 'a'));
      if (readFile(path, context) !== undefined || isFolder(path, context)) continue;
      const full = normalPath(fullPath(path, context));
      if (options.has('d')) makeFolder(full, context);
      else writeFile(full, '', context);
      streams.out(`${path}\n`);
      return { status: 0 };
    }
  },
});

/** Files have no modes of their own here, beyond those of mounts. */
const nothing =
  (name: string, usage: string): SimpleCommand =>
  (args, context, streams) => {
    const words = args.filter((arg) => !/^-[a-zA-Z]/.test(arg));
    if (words.length < 2) return refuse(`BusyBox multi-call binary.\n\nUsage: ${name} ${usage}`, streams);
    return each(words.slice(1), streams, (path) =>
      readFile(path, context) === undefined && !isFolder(path, context) ? `${name}: ${path}: ${missing}` : undefined,
    );
  };

export const moveTools: { readonly [name: string]: SimpleCommand } = {
  touch,
  rm,
  cp,
  mv,
  mkdir,
  rmdir,
  ln,
  mktemp,
  chmod: nothing('chmod', '[-Rcvf] MODE[,MODE]... FILE...'),
  chown: nothing('chown', '[-Rh]... USER[:[GRP]] FILE...'),
  chgrp: nothing('chgrp', '[-Rh]... GROUP FILE...'),
};
