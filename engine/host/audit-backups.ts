/** Audit logs that were put aside: their names, and which of them are kept. Mirrors how upstream's rotated logs are named. */
import { createReadStream, createWriteStream, existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

export interface BackupOptions {
  readonly path: string;
  readonly backupsMax: number;
  readonly backupDaysMax: number;
  readonly compresses: boolean;
}

const dayMs = 86_400_000;

/** A name that is free: two within a millisecond do not overwrite each other. */
export function backupName(path: string, nowMs: number): string {
  const { start, end } = partsOf(path);
  for (let ms = nowMs; ; ms++) {
    const name = join(dirname(path), `${start}${new Date(ms).toISOString().slice(0, 23).replaceAll(':', '-')}${end}`);
    if (!existsSync(name) && !existsSync(`${name}.gz`)) return name;
  }
}

/** Removes what is too old or too many, newest first, and compresses the rest. */
export async function tidyBackups({ path, backupsMax, backupDaysMax, compresses }: BackupOptions, nowMs: number): Promise<void> {
  const backups = listBackups(path);
  for (const [index, { file, atMs }] of backups.entries()) {
    const isTooMany = backupsMax > 0 && index >= backupsMax;
    const isTooOld = backupDaysMax > 0 && atMs < nowMs - backupDaysMax * dayMs;
    if (isTooMany || isTooOld) rmSync(file, { force: true });
    else if (compresses && !file.endsWith('.gz')) {
      await pipeline(createReadStream(file), createGzip(), createWriteStream(`${file}.gz`, { mode: 0o600 }));
      rmSync(file);
    }
  }
}

function listBackups(path: string): readonly { readonly file: string; readonly atMs: number }[] {
  const { start, end } = partsOf(path);
  return readdirSync(dirname(path))
    .flatMap((name) => {
      const plain = name.endsWith('.gz') ? name.slice(0, -3) : name;
      if (!plain.startsWith(start) || !plain.endsWith(end)) return [];
      const time = /^(\d{4}-\d{2}-\d{2}T\d{2})-(\d{2})-(\d{2}\.\d{3})$/.exec(plain.slice(start.length, plain.length - end.length));
      return time === null ? [] : [{ file: join(dirname(path), name), atMs: Date.parse(`${time[1]}:${time[2]}:${time[3]}Z`) }];
    })
    .sort((a, b) => b.atMs - a.atMs);
}

function partsOf(path: string): { readonly start: string; readonly end: string } {
  const end = extname(path);
  return { start: `${basename(path, end)}-`, end };
}
