/** `tar` and `gzip`, in busybox's words. What they write is as long as what they read: nothing here has to compress. */
import { bytesOfText, textOfBytes } from '../../../base/byte-text.ts';
import { gunzip } from '../../../base/inflate.ts';
import { storedGzip } from '../../../base/stored-gzip.ts';
import { shellMemoryBytesMax } from '../../physics.ts';
import { ShellEnd } from '../shell-budget.ts';
import type { CommandContext, Outcome, SimpleCommand, Streams } from '../shell-commands.ts';
import { folderNames, fullPath, isFolder, makeFolder, missing, normalPath, readFault, readFile, writeFault, writeFile } from '../shell-files.ts';
import { type Archive, readTar, writeTar } from '../tar.ts';
import { defineTool, type Options, usageOf } from './options.ts';
import { readAll } from './reading.ts';

const failed: Outcome = { status: 1 };
const done: Outcome = { status: 0 };
const delayed = 'tar: error exit delayed from previous errors\n';

const tarTool = {
  name: 'tar',
  // Of owners, modes and times nothing is kept: those that ask for them, or for none, ask for nothing.
  options: 'cxtf:C:zvmohpkO',
  long: { 'no-same-owner': 'o', 'no-same-permissions': 'o', 'same-permissions': 'p', 'overwrite-dir': 'p', 'no-overwrite-dir': 'p' },
  usage: 'c|x|t [-zhmvokO] [-f TARFILE] [-C DIR] [LONGOPT]... [FILE]...',
} as const;

const runTar = defineTool({
  ...tarTool,
  run: (options, context, streams) => {
    const actions = ['c', 'x', 't'].filter((letter) => options.has(letter));
    if (actions.length !== 1) {
      streams.err(usageOf(tarTool));
      return failed;
    }
    return actions[0] === 'c' ? create(options, context, streams) : take(options, context, streams);
  },
});

/** Its first word may be letters without a dash. */
const tar: SimpleCommand = (args, context, streams) =>
  runTar(args[0] === undefined || args[0].startsWith('-') ? args : [`-${args[0]}`, ...args.slice(1)], context, streams);

function create(options: Options, context: CommandContext, streams: Streams): Outcome {
  const folder = options.value('C');
  if (folder !== undefined && !isFolder(folder, context)) {
    streams.err(`tar: can't change directory to '${folder}': ${missing}\n`);
    return failed;
  }
  const target = options.value('f') ?? '-';
  const fault = options.rest.length === 0 ? 'empty archive' : target === '-' ? undefined : writeFault(target, context);
  if (fault !== undefined) {
    streams.err(`tar: ${target === '-' || options.rest.length === 0 ? '' : `can't open '${target}': `}${fault}\n`);
    return failed;
  }
  const { members, status } = collect(options, folder, context, streams);
  const packed = writeTar(members);
  context.budget.text(packed.length);
  const text = options.has('z') ? textOfBytes(storedGzip(bytesOfText(packed))) : packed;
  if (target === '-') streams.out(text);
  else writeFile(normalPath(fullPath(target, context)), text, context);
  return { status };
}

/** Members under the names that lead to them, without what would lead out of the folder that they are taken to. */
function collect(options: Options, folder: string | undefined, context: CommandContext, { out, err }: Streams) {
  const say = (options.value('f') ?? '-') === '-' ? err : out;
  const members: (readonly [string, string])[] = [];
  let [status, isTold] = [0, false];
  for (const path of options.rest) {
    const found = below(path, folder, context);
    if (found.length === 0) {
      err(`tar: ${path}: ${missing}\n`);
      status = 1;
    }
    for (const [name, text] of found) {
      const safe = safeName(name);
      if (safe !== name && !isTold) err(`tar: removing leading '${name.slice(0, name.length - safe.length)}' from member names\n`);
      isTold ||= safe !== name;
      if (safe === '') continue;
      if (options.has('v')) say(`${safe}\n`);
      members.push([safe, text]);
    }
  }
  if (status !== 0) err(delayed);
  return { members, status };
}

function safeName(name: string): string {
  return /^(?:[^]*\/)?\.\.\/+([^]*)$/.exec(name)?.[1] ?? name.replace(/^\/+/, '');
}

/** A file, or a folder with all that is in it. */
function below(path: string, folder: string | undefined, context: CommandContext): Archive {
  const place = path.startsWith('/') || folder === undefined ? path : `${folder}/${path}`;
  const text = readFile(normalPath(fullPath(place, context)), context);
  if (text !== undefined) {
    context.budget.text(text.length);
    return [[path, text]];
  }
  if (!isFolder(place, context)) return [];
  const name = path.endsWith('/') ? path : `${path}/`;
  const names = folderNames(normalPath(fullPath(place, context)), context).filter((one) => one !== '');
  return [[name, ''], ...names.flatMap((one) => below(`${name}${one}`, folder, context))];
}

function take(options: Options, context: CommandContext, streams: Streams): Outcome {
  const source = options.value('f') ?? '-';
  const fault = source === '-' ? undefined : readFault(source, context);
  if (fault !== undefined) {
    streams.err(`tar: can't open '${source}': ${fault}\n`);
    return failed;
  }
  const text = source === '-' ? streams.input.all() : (readFile(source, context) ?? '');
  context.budget.text(text.length);
  const plain = text.startsWith('\x1f') ? unpacked(text) : text;
  const members = plain === undefined ? undefined : readTar(plain);
  if (members === undefined || plain === '') {
    streams.err(plain === undefined ? 'tar: corrupted data\n' : 'tar: short read\n');
    return failed;
  }
  const wanted = options.rest.map((path) => path.replace(/\/+$/, ''));
  const isWanted = (name: string, path: string): boolean => name === path || name === `${path}/` || name.startsWith(`${path}/`);
  for (const [name, content] of members) {
    if (wanted.length > 0 && !wanted.some((path) => isWanted(name, path))) continue;
    if (options.has('t') || options.has('v')) (options.has('O') ? streams.err : streams.out)(`${name}\n`);
    if (options.has('x')) extract(name, content, options, context, streams);
  }
  const absent = options.rest.filter((path, index) => !members.some(([name]) => isWanted(name, wanted[index] ?? path)));
  for (const path of absent) streams.err(`tar: ${path}: not found in archive\n`);
  if (absent.length > 0) streams.err(delayed);
  return absent.length > 0 ? failed : done;
}

function extract(name: string, text: string, options: Options, context: CommandContext, { out }: Streams): void {
  const full = normalPath(fullPath(`${options.value('C') ?? '.'}/${safeName(name)}`, context));
  if (options.has('O')) out(text);
  else if (name.endsWith('/')) {
    if (!isFolder(full, context)) makeFolder(full, context);
  } else if (!options.has('k') || readFile(full, context) === undefined) writeFile(full, text, context);
}

/** Undefined where it is no gzip file. */
function unpacked(text: string): string | undefined {
  const plain = gunzip(bytesOfText(text), shellMemoryBytesMax);
  if (plain === 'too large') throw new ShellEnd('memory');
  return plain === 'invalid' ? undefined : textOfBytes(plain);
}

interface Packer {
  readonly name: string;
  readonly usage: string;
  readonly unpacks: boolean;
  readonly toOutput: boolean;
}

function packer({ name, usage, unpacks, toOutput }: Packer): SimpleCommand {
  return defineTool({
    name,
    options: 'cdfkt123456789',
    usage,
    run: (options, context, streams) => {
      const isBack = unpacks || options.has('d') || options.has('t');
      const paths = options.rest.length === 0 ? ['-'] : options.rest;
      const outcomes = paths.map((path) => {
        const isStream = path === '-' || toOutput || options.has('c') || options.has('t');
        const target = isStream ? undefined : isBack ? path.replace(/\.(?:gz|tgz)$/, (end) => (end === '.tgz' ? '.tar' : '')) : `${path}.gz`;
        return pack(name, path, { target, isBack, keeps: options.has('k'), isTest: options.has('t') }, context, streams);
      });
      return { status: outcomes.every(Boolean) ? 0 : 1 };
    },
  });
}

interface Packing {
  /** Where it goes; what is read goes then. Undefined for the output. */
  readonly target: string | undefined;
  readonly isBack: boolean;
  readonly keeps: boolean;
  readonly isTest: boolean;
}

/** Answers whether it worked out. */
function pack(name: string, path: string, packing: Packing, context: CommandContext, streams: Streams): boolean {
  const { target, isBack } = packing;
  if (target === path) {
    streams.err(`${name}: ${path}: unknown suffix - ignored\n`);
    return false;
  }
  const { text, status } = readAll(name, [path], context, streams);
  if (status !== 0) return false;
  context.budget.text(text.length);
  const result = isBack ? unpacked(text) : textOfBytes(storedGzip(bytesOfText(text)));
  if (result === undefined) {
    streams.err(`${name}: invalid magic\n`);
    return false;
  }
  context.budget.text(result.length);
  if (packing.isTest) return true;
  if (target === undefined) streams.out(result);
  else {
    writeFile(normalPath(fullPath(target, context)), result, context);
    if (!packing.keeps) delete context.host.files[normalPath(fullPath(path, context))];
  }
  return true;
}

export const archiveTools: { readonly [name: string]: SimpleCommand } = {
  tar,
  gzip: packer({ name: 'gzip', usage: '[-cfkdt123456789] [FILE]...', unpacks: false, toOutput: false }),
  gunzip: packer({ name: 'gunzip', usage: '[-cfkt] [FILE]...', unpacks: true, toOutput: false }),
  zcat: packer({ name: 'zcat', usage: '[FILE]...', unpacks: true, toOutput: true }),
};
