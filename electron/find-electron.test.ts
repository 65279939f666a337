import { describe, expect, test } from 'vitest';
import { findElectron, type MachineFacts } from './find-electron.ts';

const root = '/app';
const folder = '/app/node_modules/electron';

function facts(given: Partial<Omit<MachineFacts, 'read'>> & { readonly files?: Readonly<Record<string, string>> } = {}): MachineFacts {
  const files: Readonly<Record<string, string>> = given.files ?? {
    [`${folder}/package.json`]: '',
    [`${folder}/path.txt`]: 'electron',
    [`${folder}/dist/electron`]: '',
  };
  return {
    platform: 'linux',
    env: { DISPLAY: ':0' },
    isRoot: false,
    isSetuidRoot: () => false,
    exists: (path) => path in files,
    ...given,
    read: (path) => files[path],
  };
}

const installed = { [`${folder}/package.json`]: '', [`${folder}/dist/electron`]: '' };

describe('Electron', () => {
  test.each([
    ['an X display', facts(), `${folder}/dist/electron`],
    ['a Wayland display', facts({ env: { WAYLAND_DISPLAY: 'wayland-0' } }), `${folder}/dist/electron`],
    [
      'a Mac',
      facts({ platform: 'darwin', env: {}, files: { [`${folder}/package.json`]: '', [`${folder}/dist/Electron.app/Contents/MacOS/Electron`]: '' } }),
      `${folder}/dist/Electron.app/Contents/MacOS/Electron`,
    ],
    [
      'a program somewhere else',
      facts({
        env: { DISPLAY: ':0', ELECTRON_OVERRIDE_DIST_PATH: '/opt/electron' },
        files: { [`${folder}/package.json`]: '', '/opt/electron/electron': '' },
      }),
      '/opt/electron/electron',
    ],
    [
      'limited namespaces but a setuid helper',
      facts({
        isSetuidRoot: (path) => path === `${folder}/dist/chrome-sandbox`,
        files: { ...installed, '/proc/sys/kernel/apparmor_restrict_unprivileged_userns': '1\n' },
      }),
      `${folder}/dist/electron`,
    ],
  ])('is found with %s', (_name, given, binary) => {
    expect(findElectron(root, given)).toEqual({ binary });
  });

  test.each([
    ['not installed', facts({ files: {} }), 'Electron is not installed'],
    ['not downloaded', facts({ files: { [`${folder}/package.json`]: '' } }), 'npx install-electron'],
    ['no display', facts({ env: { DISPLAY: '' } }), 'no display (neither DISPLAY nor WAYLAND_DISPLAY is set)'],
    ['root', facts({ isRoot: true }), 'does not run as root'],
    ['limited namespaces', facts({ files: { ...installed, '/proc/sys/kernel/apparmor_restrict_unprivileged_userns': '1\n' } }), 'sudo chmod 4755'],
    ['no namespaces', facts({ files: { ...installed, '/proc/sys/user/max_user_namespaces': '0\n' } }), 'user namespaces'],
  ])('says why it cannot be used: %s', (_name, given, reason) => {
    expect(findElectron(root, given)).toEqual({ reason: expect.stringContaining(reason) });
  });
});
