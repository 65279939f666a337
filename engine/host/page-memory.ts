/**
 * Where the page of a cluster stood, and which browsers were signed in there, kept in the home under the cluster's name: a cluster that is started
 * again is where its page looks for it. Secrets are kept as digests alone.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from './files.ts';
import { homeFolder, makeFolder } from './home-folder.ts';

export interface KeptPage {
  readonly port: number;
  /** Digests of the secrets of sessions, the oldest first. */
  readonly sessions: readonly string[];
}

export interface PageMemory {
  read(): KeptPage | undefined;
  write(kept: KeptPage): void;
}

const privateMode = 0o600;
const portMax = 65_535;

/** `onDamage` hears of a file that cannot be used: its page begins anew. */
export function pageMemoryOf(name: string, onDamage: (line: string) => void): PageMemory {
  const folder = join(homeFolder(), 'pages');
  const file = join(folder, `${name}.json`);
  return {
    read: () => {
      if (!existsSync(file)) return undefined;
      const kept = parseKept(readFileSync(file, 'utf8'));
      if (kept === undefined) onDamage(`${file} is damaged: the page of ${name} has another address now, and browsers sign in anew`);
      return kept;
    },
    write: (kept) => {
      makeFolder(folder);
      replaceFile(file, `${JSON.stringify(kept)}\n`, privateMode);
    },
  };
}

function parseKept(text: string): KeptPage | undefined {
  try {
    const { port, sessions } = JSON.parse(text) as Partial<KeptPage>;
    const isPort = Number.isInteger(port) && (port as number) > 0 && (port as number) <= portMax;
    if (isPort && Array.isArray(sessions) && sessions.every((one) => typeof one === 'string')) return { port: port as number, sessions };
  } catch (error) {
    if (!(error instanceof SyntaxError) && !(error instanceof TypeError)) throw error;
  }
  return undefined;
}
