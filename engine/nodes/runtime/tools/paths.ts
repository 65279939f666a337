/** Tools that ask about paths: names in them, what they lead to, what a folder holds. */
import { bytesOfText } from '../../../base/byte-text.ts';
import type { CommandContext, SimpleCommand, Streams } from '../shell-commands.ts';
import { folderNames, fullPath, isFolder, missing, normalPath, readFile } from '../shell-files.ts';
import { stat } from '../shell-stat.ts';
import { find } from './find.ts';
import { defineTool } from './options.ts';
import { isProgram } from './programs.ts';

const ok = { status: 0 };

function withoutSlashes(path: string): string {
  let end = path.length;
  while (end > 1 && path[end - 1] === '/') end--;
  return path.slice(0, end);
}

function lastName(path: string): string {
  const trimmed = withoutSlashes(path);
  return trimmed === '/' ? '/' : trimmed.slice(trimmed.lastIndexOf('/') + 1);
}

const basename = defineTool({
  name: 'basename',
  options: 'as:',
  usage: '[-a] [-s SUFFIX] FILE... | FILE [SUFFIX]',
  atLeast: 1,
  run: (options, _context, { out, err }) => {
    const isMany = options.has('a') || options.has('s');
    if (!isMany && options.rest.length > 2) {
      err('BusyBox multi-call binary.\n\nUsage: basename FILE [SUFFIX] | -a FILE... | -s SUFFIX FILE...\n');
      return { status: 1 };
    }
    const suffix = options.value('s') ?? (isMany ? '' : (options.rest[1] ?? ''));
    for (const path of isMany ? options.rest : options.rest.slice(0, 1)) {
      const name = lastName(path);
      out(`${suffix !== '' && name !== suffix && name.endsWith(suffix) ? name.slice(0, -suffix.length) : name}\n`);
    }
    return ok;
  },
});

const dirname = defineTool({
  name: 'dirname',
  options: '',
  usage: 'FILENAME',
  atLeast: 1,
  run: ({ rest }, _context, { out }) => {
    const trimmed = withoutSlashes(rest[0] ?? '');
    const end = trimmed.lastIndexOf('/');
    out(`${end < 0 ? '.' : withoutSlashes(trimmed.slice(0, Math.max(1, end)))}\n`);
    return ok;
  },
});

const readlink = defineTool({
  name: 'readlink',
  options: 'fnv',
  usage: '[-fnv] FILE',
  atLeast: 1,
  run: (options, context, { out }) => {
    if (!options.has('f')) return { status: 1 };
    out(normalPath(fullPath(options.rest[0] ?? '', context)) + (options.has('n') ? '' : '\n'));
    return ok;
  },
});

const realpath = defineTool({
  name: 'realpath',
  options: '',
  usage: 'FILE...',
  atLeast: 1,
  run: ({ rest }, context, { out, err }) => {
    let status = 0;
    for (const path of rest) {
      const full = normalPath(fullPath(path, context));
      const parent = full.slice(0, full.lastIndexOf('/')) || '/';
      if (isThere(full, context) || isFolder(parent, context)) out(`${full}\n`);
      else {
        err(`realpath: ${path}: ${missing}\n`);
        status = 1;
      }
    }
    return { status };
  },
});

function isThere(full: string, context: CommandContext): boolean {
  return readFile(full, context) !== undefined || isFolder(full, context);
}

const pwd: SimpleCommand = (_args, context, { out }) => {
  out(`${fullPath('.', context)}\n`);
  return ok;
};

const ls = defineTool({
  name: 'ls',
  options: '1AaCxdLHRFplinshrSXvctuTw:k',
  usage: '[-1AaCxdLHRFplinshrSXvctu] [FILE]...',
  run: (options, context, streams) => {
    const paths = options.rest.length === 0 ? ['.'] : options.rest;
    let status = 0;
    const found = paths.filter((path) => {
      if (isThere(normalPath(fullPath(path, context)), context)) return true;
      streams.err(`ls: ${path}: ${missing}\n`);
      status = 1;
      return false;
    });
    const isListed = (path: string): boolean => !options.has('d') && isFolder(path, context);
    const show = (names: readonly string[], folder: string): void => {
      const sorted = options.has('r') ? names.toReversed() : names;
      for (const name of sorted) streams.out(`${lineOf(name, normalPath(fullPath(`${folder}${name}`, context)), options, context)}\n`);
    };
    show(found.filter((path) => !isListed(path)).sort(), '');
    const folders = found.filter(isListed).sort();
    let isFirst = folders.length === found.length;
    const listFolder = (path: string, hasHeading: boolean): void => {
      context.budget.command();
      if (hasHeading) streams.out(`${isFirst ? '' : '\n'}${path}:\n`);
      isFirst = false;
      const names = namesOf(path, options, context);
      show(names, path.endsWith('/') ? path : `${path}/`);
      if (!options.has('R')) return;
      const below = names.filter((name) => name !== '.' && name !== '..').map((name) => `${path.replace(/\/$/, '')}/${name}`);
      context.budget.nested(() => below.filter((one) => isFolder(one, context)).forEach((one) => listFolder(one, true)));
    };
    for (const path of folders) listFolder(path, paths.length > 1 || options.has('R'));
    return { status };
  },
});

interface Flags {
  has(letter: string): boolean;
}

function namesOf(path: string, options: Flags, context: CommandContext): readonly string[] {
  const names = folderNames(normalPath(fullPath(path, context)), context);
  const shown = names.filter((name) => options.has('a') || options.has('A') || !name.startsWith('.'));
  return options.has('a') ? ['.', '..', ...shown] : shown;
}

/** With `-l` what a file system says; times of files are not kept. */
function lineOf(name: string, full: string, options: Flags, context: CommandContext): string {
  const folder = isFolder(full, context);
  const marked = `${name}${folder && (options.has('F') || options.has('p')) ? '/' : ''}`;
  if (!options.has('l')) return marked;
  const { mode, uid, gid } = context.host.stat?.(full) ?? { mode: folder ? 0o755 : 0o644, uid: 0, gid: 0 };
  const letters = [6, 3, 0].map((shift) => ['r', 'w', 'x'].map((letter, bit) => ((mode >> shift) & (4 >> bit) ? letter : '-')).join('')).join('');
  const size = folder ? 4096 : bytesOfText(readFile(full, context) ?? '').length;
  const owner = (number: number): string => (number === 0 && !options.has('n') ? 'root' : String(number)).padEnd(8);
  return `${folder ? 'd' : '-'}${letters} ${folder ? '   2' : '   1'} ${owner(uid)} ${owner(gid)} ${String(size).padStart(9)} Jan  1 00:00 ${marked}`;
}

const which = defineTool({
  name: 'which',
  options: 'a',
  usage: '[-a] COMMAND...',
  atLeast: 1,
  run: ({ rest }, context, { out }) => {
    const found = rest.filter((name) => isProgram(name, context));
    for (const name of found) out(`${name.includes('/') ? name : `/bin/${name}`}\n`);
    return { status: found.length === rest.length ? 0 : 1 };
  },
});

const from =
  (run: (args: readonly string[], context: CommandContext, streams: Streams) => number): SimpleCommand =>
  (args, context, streams) => ({ status: run(args, context, streams) });

export const pathTools: { readonly [name: string]: SimpleCommand } = {
  basename,
  dirname,
  readlink,
  realpath,
  pwd,
  ls,
  which,
  find: from(find),
  stat: from(stat),
};
