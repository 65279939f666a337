/**
 * Folders of manifests of admission (`staticManifestsDir`), which count as they are now: they are looked at when something in them changes,
 * and each minute. What cannot be read or is wrong is told of, and what was before stays. Mirrors apiserver pkg/admission/plugin/{webhook,policy}/manifest/source.
 */
import { hash } from 'node:crypto';
import { type FSWatcher, readdirSync, readFileSync, statSync, watch } from 'node:fs';
import { join } from 'node:path';
import { isManifest, type ManifestFile } from '../../apiserver/admission/manifests/files.ts';
import type { ManifestLoader, ManifestPlugin } from '../../apiserver/admission/manifests/loader.ts';
import { metricFamily, type Sample } from '../../apiserver/metrics-text.ts';
import { whyInGo } from '../go-files.ts';
import { goQuote } from '../../apimachinery/quote.ts';

const pollMs = 60_000;
/** Writing a file makes several changes, of which the first leaves it empty. */
const settleMs = 50;
const subsystem = 'apiserver_manifest_admission_config_controller';

/** What lies in a folder when a server starts, or why that cannot be told. */
export function readManifestFolder(folder: string): readonly ManifestFile[] | string {
  try {
    if (!statSync(folder).isDirectory()) return 'must be a directory';
  } catch (error) {
    return `unable to read: stat ${folder}: ${whyInGo(error)}`;
  }
  return filesOf(folder);
}

/** In order of name. Throws an Error in upstream's words. */
function filesOf(folder: string): readonly ManifestFile[] {
  const names = attempt(`failed to read manifest directory ${goQuote(folder)}: open ${folder}`, () =>
    readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() || !isManifest(entry.name) ? [] : [entry.name])),
  );
  return names.sort().map((name) => {
    const path = join(folder, name);
    return { path, text: attempt(`failed to read file ${goQuote(path)}: open ${path}`, () => readFileSync(path, 'utf8')) };
  });
}

function attempt<T>(what: string, step: () => T): T {
  try {
    return step();
  } catch (error) {
    throw new Error(`${what}: ${whyInGo(error)}`, { cause: error });
  }
}

export interface FolderOfManifests {
  readonly plugin: ManifestPlugin;
  readonly folder: string;
  /** What was in it when the server began; it is right. */
  readonly files: readonly ManifestFile[];
}

export interface ManifestFoldersOptions {
  readonly folders: readonly FolderOfManifests[];
  readonly loader: Pick<ManifestLoader, 'load'>;
  /** Lets what lies in a plugin's folder count. */
  use(plugin: ManifestPlugin, files: readonly ManifestFile[]): void;
  /** Wall time. */
  nowMs(): number;
}

interface Looked {
  readonly plugin: ManifestPlugin;
  readonly folder: string;
  /** Of what was read last, and of what counts. */
  hash: string;
  readonly reloads: { readonly [status in Status]: { count: number; lastMs: number } };
}

type Status = 'success' | 'failure';

export class ManifestFolders {
  readonly #options: ManifestFoldersOptions;
  readonly #folders: readonly Looked[];

  constructor(options: ManifestFoldersOptions) {
    this.#options = options;
    this.#folders = options.folders.map(({ plugin, folder, files }) => ({
      plugin,
      folder,
      hash: hashOf(files),
      reloads: { success: { count: 1, lastMs: options.nowMs() }, failure: { count: 0, lastMs: 0 } },
    }));
  }

  /** Looks at the folders until the returned function is called. `log` is told one line at a time. */
  watch(log: (line: string) => void): () => void {
    const ends = this.#folders.map((one) =>
      watchFolder(
        one.folder,
        () => this.#look(one, log),
        (error) => log(`watching manifest directory: ${error}`),
      ),
    );
    return () => ends.forEach((end) => end());
  }

  check(log: (line: string) => void): void {
    for (const one of this.#folders) this.#look(one, log);
  }

  #look(one: Looked, log: (line: string) => void): void {
    const { plugin, folder } = one;
    const what = plugin.endsWith('Webhook') ? 'admission manifest config' : 'manifest config';
    const where = `plugin=${goQuote(plugin)} dir=${goQuote(folder)}`;
    try {
      const files = filesOf(folder);
      // What is wrong is told of at each look, as long as it is.
      this.#options.loader.load(plugin, files);
      const now = hashOf(files);
      if (now === one.hash) return;
      one.hash = now;
      this.#options.use(plugin, files);
    } catch (error) {
      this.#count(one, 'failure');
      log(`reloading ${what}: ${error instanceof Error ? error.message : String(error)} ${where}`);
      return;
    }
    this.#count(one, 'success');
    log(`reloaded ${what} ${where}`);
  }

  #count({ reloads }: Looked, status: Status): void {
    reloads[status].count++;
    reloads[status].lastMs = this.#options.nowMs();
  }

  /** In Prometheus' text form. This server has no identity of its own, and so none in the labels. */
  metrics(): string {
    const made = this.#folders.flatMap(({ plugin, reloads }) =>
      (['failure', 'success'] as const).flatMap((status) =>
        reloads[status].count === 0 ? [] : [{ labels: { apiserver_id_hash: '', plugin, status }, ...reloads[status] }],
      ),
    );
    if (made.length === 0) return '';
    const split = 'of admission manifest configuration split by status, plugin, and apiserver identity.';
    const infos = this.#folders.map((one): Sample => [{ apiserver_id_hash: '', hash: one.hash, plugin: one.plugin }, 1]);
    return [
      metricFamily(
        `${subsystem}_automatic_reload_last_timestamp_seconds`,
        'gauge',
        `[ALPHA] Timestamp of the last automatic reload ${split}`,
        made.map(({ labels, lastMs }): Sample => [labels, lastMs / 1000]),
      ),
      metricFamily(
        `${subsystem}_automatic_reloads_total`,
        'counter',
        `[ALPHA] Total number of automatic reloads ${split}`,
        made.map(({ labels, count }): Sample => [labels, count]),
      ),
      metricFamily(
        `${subsystem}_last_config_info`,
        'gauge',
        '[ALPHA] Information about the last applied admission manifest configuration with hash as label, split by plugin and apiserver identity.',
        infos,
      ),
    ].join('');
  }
}

/** Empty where there is nothing. */
function hashOf(files: readonly ManifestFile[]): string {
  const texts = files.filter(({ text }) => text !== '').map(({ text }) => `${text}\0`);
  return texts.length === 0 ? '' : `sha256:${hash('sha256', texts.join(''), 'hex')}`;
}

function watchFolder(folder: string, look: () => void, onError: (error: string) => void): () => void {
  let settling: NodeJS.Timeout | undefined;
  let watcher: FSWatcher | undefined;
  const soon = (): void => {
    clearTimeout(settling);
    settling = setTimeout(look, settleMs);
    settling.unref();
  };
  const begin = (): void => {
    try {
      watcher = watch(folder, { persistent: false }, soon);
      watcher.on('error', (error) => {
        onError(error.message);
        watcher?.close();
        watcher = undefined;
      });
    } catch (error) {
      onError(whyInGo(error));
    }
  };
  begin();
  // It may have changed since it was read.
  soon();
  const poll = setInterval(() => {
    if (watcher === undefined) begin();
    look();
  }, pollMs);
  poll.unref();
  return () => {
    clearTimeout(settling);
    clearInterval(poll);
    watcher?.close();
  };
}
