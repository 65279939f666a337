/** Files the person chooses in the system's dialogs. They are data: read as text, within a limit, and never run. */
import { readFile, stat, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { OpenDialogOptions, SaveDialogOptions } from 'electron';
import type { OpenedFile } from './ipc/contract.ts';

type AskOpen = (options: OpenDialogOptions) => Promise<{ readonly canceled: boolean; readonly filePaths: readonly string[] }>;
type AskSave = (options: SaveDialogOptions) => Promise<{ readonly canceled: boolean; readonly filePath?: string }>;

const fileBytesMax = 64 * 1024 * 1024;

export async function openFiles(ask: AskOpen): Promise<readonly OpenedFile[]> {
  const chosen = await ask({
    properties: ['openFile', 'multiSelections'],
    filters: [
      { name: 'Manifests, scenarios, sessions', extensions: ['yaml', 'yml', 'json', 'jsonl', 'wavetank'] },
      { name: 'All files', extensions: ['*'] },
    ],
  });
  if (chosen.canceled) return [];
  return Promise.all(chosen.filePaths.map(readText));
}

/** The page's words are checked: they cross a boundary of trust. */
export async function saveFile(ask: AskSave, name: unknown, text: unknown): Promise<boolean> {
  if (typeof name !== 'string' || typeof text !== 'string') return false;
  const chosen = await ask({ defaultPath: basename(name) });
  if (chosen.canceled || chosen.filePath === undefined) return false;
  await writeFile(chosen.filePath, text);
  return true;
}

async function readText(path: string): Promise<OpenedFile> {
  const { size } = await stat(path);
  if (size > fileBytesMax) throw new Error(`${basename(path)} has ${size} bytes; files up to ${fileBytesMax} can be opened`);
  return { name: basename(path), text: await readFile(path, 'utf8') };
}
