import { describe, expect, test } from 'vitest';
import { bindContents, type BoundContents, denyPermissions, webPreferences } from './security.ts';

interface Bound {
  readonly opened: string[];
  /** Whether the page may go there. */
  navigate(event: string, url: string): boolean;
  openWindow(url: string): string;
}

function bound(): Bound {
  const listeners = new Map<string, (details: { readonly url: string; preventDefault(): void }) => void>();
  let windowHandler: Parameters<BoundContents['setWindowOpenHandler']>[0] | undefined;
  const opened: string[] = [];
  bindContents(
    {
      on: (event: string, listener: unknown) => listeners.set(event, listener as (details: { readonly url: string; preventDefault(): void }) => void),
      setWindowOpenHandler: (handler) => {
        windowHandler = handler;
      },
    },
    { origin: () => 'http://127.0.0.1:4000', openExternal: (url) => opened.push(url) },
  );
  return {
    opened,
    navigate: (event, url) => {
      let allowed = true;
      listeners.get(event)?.({ url, preventDefault: () => (allowed = false) });
      return allowed;
    },
    openWindow: (url) => windowHandler?.({ url }).action ?? 'none',
  };
}

describe('a window', () => {
  test('has nothing of Node', () => {
    expect(webPreferences('/preload.cjs')).toMatchObject({
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      webSecurity: true,
    });
  });

  test.each([
    ['http://127.0.0.1:4000/pods', true, []],
    ['http://127.0.0.1:4001/', false, []],
    ['http://127.0.0.1:4000@evil.example/', false, []],
    ['https://kubernetes.io/docs/', false, ['https://kubernetes.io/docs/']],
    ['https://user:word@kubernetes.io/', false, []],
    ['http://kubernetes.io/', false, []],
    ['file:///etc/passwd', false, []],
    ['javascript:alert(1)', false, []],
    ['smb://server/share', false, []],
    ['nonsense', false, []],
  ])('goes to %s: %s', (url, allowed, opened) => {
    const window = bound();
    expect(window.navigate('will-navigate', url)).toBe(allowed);
    expect(window.opened).toEqual(opened);
    expect(window.navigate('will-redirect', url)).toBe(allowed);
    expect(window.navigate('will-frame-navigate', url)).toBe(allowed);
    expect(window.openWindow(url)).toBe('deny');
  });

  test('gets no permissions but copying', () => {
    let ask: ((contents: unknown, permission: string, answer: (granted: boolean) => void) => void) | undefined;
    let check: ((contents: unknown, permission: string) => boolean) | undefined;
    denyPermissions({
      setPermissionRequestHandler: (handler) => {
        ask = handler;
      },
      setPermissionCheckHandler: (handler) => {
        check = handler;
      },
      setDevicePermissionHandler: (handler) => expect(handler()).toBe(false),
    });
    for (const permission of ['media', 'geolocation', 'notifications', 'clipboard-read', 'openExternal', 'fileSystem']) {
      ask?.(undefined, permission, (granted) => expect(granted).toBe(false));
      expect(check?.(undefined, permission)).toBe(false);
    }
    expect(check?.(undefined, 'clipboard-sanitized-write')).toBe(true);
  });
});
