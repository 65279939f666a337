/**
 * Where Electron's program is, or why it cannot be used here. Without it the same page opens in a browser, so each reason is a
 * sentence for the person, with what would mend it.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

export interface MachineFacts {
  readonly platform: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isRoot: boolean;
  exists(path: string): boolean;
  /** Undefined when there is no such file. */
  read(path: string): string | undefined;
  isSetuidRoot(path: string): boolean;
}

export type FoundElectron = { readonly binary: string } | { readonly reason: string };

const programs: Readonly<Record<string, string>> = { darwin: 'Electron.app/Contents/MacOS/Electron', win32: 'electron.exe' };
const linuxProgram = 'electron';
const namespaceLimits = ['/proc/sys/kernel/apparmor_restrict_unprivileged_userns', '/proc/sys/user/max_user_namespaces'] as const;

export function findElectron(root: string, facts: MachineFacts): FoundElectron {
  const { env, platform } = facts;
  const folder = join(root, 'node_modules', 'electron');
  if (!facts.exists(join(folder, 'package.json'))) return { reason: 'Electron is not installed' };
  const dist = env['ELECTRON_OVERRIDE_DIST_PATH'] ?? join(folder, 'dist');
  const program = facts.read(join(folder, 'path.txt'))?.trim() || (programs[platform] ?? linuxProgram);
  const binary = join(dist, program);
  if (!facts.exists(binary)) return { reason: "Electron's program is not downloaded; `npx install-electron` fetches it" };
  if (platform !== 'linux') return { binary };
  const reason = linuxObstacle(dist, facts);
  return reason === undefined ? { binary } : { reason };
}

export function machineFacts(): MachineFacts {
  return {
    platform: process.platform,
    env: process.env,
    isRoot: process.getuid?.() === 0,
    exists: existsSync,
    read: (path) => (existsSync(path) ? readFileSync(path, 'utf8') : undefined),
    isSetuidRoot: (path) => {
      const stats = statSync(path, { throwIfNoEntry: false });
      return stats !== undefined && stats.uid === 0 && (stats.mode & 0o4000) !== 0;
    },
  };
}

function linuxObstacle(dist: string, facts: MachineFacts): string | undefined {
  const { env } = facts;
  if (!env['DISPLAY'] && !env['WAYLAND_DISPLAY']) return 'there is no display (neither DISPLAY nor WAYLAND_DISPLAY is set)';
  if (facts.isRoot) return "Electron's sandbox does not run as root; start as another user";
  if (facts.isSetuidRoot(join(dist, 'chrome-sandbox')) || namespacesAreFree(facts)) return undefined;
  return `this Linux does not let ordinary programs make user namespaces, which Electron's sandbox needs; \`sudo chown root ${join(dist, 'chrome-sandbox')} && sudo chmod 4755 ${join(dist, 'chrome-sandbox')}\` mends it`;
}

function namespacesAreFree(facts: MachineFacts): boolean {
  const [restricted, most] = namespaceLimits.map((path) => facts.read(path)?.trim());
  return restricted !== '1' && most !== '0';
}
