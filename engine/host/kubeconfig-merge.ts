/**
 * The user's own kubeconfig: our cluster goes in beside everything else, under kubectl's lock, and steps back when it stops. The text
 * is edited, not written anew: comments, order, unknown fields and what other programs wrote meanwhile stay.
 */
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { Document, isMap, isScalar, isSeq, parseAllDocuments, type YAMLSeq } from 'yaml';
import { CommandError } from './command-error.ts';
import { checkOrdinary, codeOf, replaceFile } from './files.ts';
import { type ClusterEntries, entryLists, type Named } from './kubeconfig.ts';
import { withKubeconfigLock } from './kubeconfig-lock.ts';

/** What has to be known to step back. */
export interface MergedInto {
  readonly file: string;
  /** The context that was current before ours; absent when there was none. */
  readonly previous?: string;
}

/** kubectl computes its change before it takes the lock: one that was at it when we wrote takes our entries out again. */
const secondLookMs = 250;

/** The file kubectl would write to. */
export function userKubeconfig(): string {
  const files = (process.env['KUBECONFIG'] ?? '').split(delimiter).filter((file) => file !== '');
  return files.find((file) => existsSync(file)) ?? files.at(-1) ?? join(homedir(), '.kube', 'config');
}

/** Puts a cluster into a kubeconfig and makes it current. */
export async function mergeKubeconfig(file: string, entries: ClusterEntries): Promise<MergedInto> {
  const own = entries.contexts.name;
  const merge = (): Promise<string> =>
    edit(file, (config) => {
      for (const list of entryLists) setNamed(config, listOf(config, list, file), entries[list]);
      const current = currentOf(config);
      config.set('current-context', own);
      return current;
    });
  const previous = await merge();
  await new Promise((resolve) => setTimeout(resolve, secondLookMs));
  const isThere = await edit(file, (config) => indexOf(listOf(config, 'contexts', file), own) !== -1);
  if (!isThere) await merge();
  return previous === '' || previous === own ? { file } : { file, previous };
}

/** Whoever was current before becomes so again, unless the user has chosen another since. The entries stay, for the next start. */
export async function leaveKubeconfig(context: string, { file, previous }: MergedInto): Promise<void> {
  if (!existsSync(file)) return;
  await edit(file, (config) => {
    if (currentOf(config) !== context) return;
    const isThere = previous !== undefined && indexOf(listOf(config, 'contexts', file), previous) !== -1;
    config.set('current-context', isThere ? previous : '');
  });
}

/** Reads, changes and replaces the file under kubectl's lock; leaves it alone when nothing changed. */
async function edit<T>(file: string, change: (config: Document) => T): Promise<T> {
  try {
    checkOrdinary(file);
    return await withKubeconfigLock(file, () => {
      const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
      const config = parse(file, text);
      const before = JSON.stringify(config.toJS());
      const result = change(config);
      if (JSON.stringify(config.toJS()) !== before) replaceFile(file, print(config, text));
      return result;
    });
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`cannot write the kubeconfig ${file} (${codeOf(error)}); make it writable, or start without --merge-kubeconfig`);
  }
}

function parse(file: string, text: string): Document {
  const parsed = parseAllDocuments(text);
  const documents: readonly Document[] = 'empty' in parsed ? [newDocument(parsed.comment)] : parsed;
  const [config] = documents;
  const isOneMap = documents.length === 1 && isMap(config?.contents);
  const problem = config?.errors[0]?.message.split('\n')[0] ?? (isOneMap ? undefined : 'it is not one YAML map');
  if (config === undefined || problem !== undefined)
    throw new CommandError(`${file} is not a kubeconfig (${problem}); mend it, or start without --merge-kubeconfig`);
  return config;
}

/** For a file with nothing in it, or comments and nothing else. */
function newDocument(comment: string): Document {
  const config = new Document({ apiVersion: 'v1', kind: 'Config' });
  if (comment !== '') config.commentBefore = comment;
  return config;
}

/** JSON stays JSON, and lists stay indented as they were. */
function print(config: Document, text: string): string {
  if (isJson(text)) return `${JSON.stringify(config.toJS(), null, 2)}\n`;
  return config.toString({ lineWidth: 0, indentSeq: !/^- /m.test(text), flowCollectionPadding: false });
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function listOf(config: Document, list: string, file: string): YAMLSeq {
  const value = config.get(list, true);
  if (isSeq(value)) return value;
  if (value !== undefined && !(isScalar(value) && value.value === null))
    throw new CommandError(`${file} is not a kubeconfig (${list} is not a list); mend it, or start without --merge-kubeconfig`);
  const empty = config.createNode([]);
  config.set(list, empty);
  return empty;
}

/** In the place of the entry of that name, else at the end. */
function setNamed(config: Document, entries: YAMLSeq, entry: Named): void {
  const index = indexOf(entries, entry.name);
  if (entries.items.length === 0) entries.flow = false;
  if (index === -1) entries.add(config.createNode(entry));
  else entries.set(index, config.createNode(entry));
}

function indexOf(entries: YAMLSeq, name: string): number {
  return entries.items.findIndex((entry) => isMap(entry) && entry.get('name') === name);
}

function currentOf(config: Document): string {
  const current = config.get('current-context');
  return typeof current === 'string' ? current : '';
}
