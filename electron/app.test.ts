/** The app in a real window. Needs Electron's program, a display and a build; skipped with the reason where one is missing. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { _electron } from 'playwright-core';
import { expect, test } from 'vitest';
import { findElectron, machineFacts } from './find-electron.ts';

const root = join(import.meta.dirname, '..');
const main = join(root, 'dist', 'electron', 'main.js');
const found = findElectron(root, machineFacts());
const reason = 'reason' in found ? found.reason : existsSync(main) ? undefined : 'the app is not built (npm run build)';
if (reason !== undefined) console.log(`skipped: the app in a window: ${reason}`);

test.skipIf(reason !== undefined)('the window shows the page, without Node', async () => {
  const home = mkdtempSync(join(tmpdir(), 'wavetank-app-'));
  const app = await _electron.launch({
    executablePath: (found as { readonly binary: string }).binary,
    args: [`--user-data-dir=${join(home, 'electron')}`, main, '--', '--port', '0', '--name', 'app-test'],
    env: { ...process.env, WAVETANK_HOME: home } as Record<string, string>,
  });
  try {
    const window = await app.firstWindow();
    expect(new URL(window.url()).hostname).toBe('127.0.0.1');
    expect(await window.evaluate(() => typeof (globalThis as { require?: unknown }).require)).toBe('undefined');
    expect(await window.evaluate(async () => (await fetch('/version')).status)).toBe(200);
    expect(await window.evaluate(() => Object.keys((globalThis as unknown as { wavetank: object }).wavetank).sort())).toEqual([
      'onCommand',
      'openFiles',
      'platform',
      'saveFile',
    ]);
  } finally {
    await app.close();
    rmSync(home, { recursive: true, force: true });
  }
});
