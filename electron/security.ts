/**
 * What the page's windows may do: nothing of Node, nothing beyond their own origin, no permissions. Links to other places open in
 * the person's browser, and only over https.
 */
import type { WebPreferences } from 'electron';

export function webPreferences(preload: string): WebPreferences {
  return {
    preload,
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webSecurity: true,
    allowRunningInsecureContent: false,
    webviewTag: false,
    navigateOnDragDrop: false,
    spellcheck: false,
  };
}

/** The parts of Electron's WebContents that are bound. */
export interface BoundContents {
  on(
    event: 'will-navigate' | 'will-redirect' | 'will-frame-navigate',
    listener: (details: { readonly url: string; preventDefault(): void }) => void,
  ): unknown;
  on(event: 'will-attach-webview', listener: (event: { preventDefault(): void }) => void): unknown;
  setWindowOpenHandler(handler: (details: { readonly url: string }) => { readonly action: 'deny' }): void;
}

export interface Bounds {
  /** Origin of the page, once it is known. */
  readonly origin: () => string | undefined;
  readonly openExternal: (url: string) => void;
}

export function bindContents(contents: BoundContents, bounds: Bounds): void {
  for (const event of ['will-navigate', 'will-redirect', 'will-frame-navigate'] as const) {
    contents.on(event, (details) => {
      if (isWithin(details.url, bounds.origin())) return;
      details.preventDefault();
      if (event === 'will-navigate' && isExternal(details.url)) bounds.openExternal(details.url);
    });
  }
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    if (isExternal(url)) bounds.openExternal(url);
    return { action: 'deny' };
  });
}

/** The parts of Electron's Session that ask for permissions. */
export interface BoundSession {
  setPermissionRequestHandler(handler: (contents: unknown, permission: string, answer: (granted: boolean) => void) => void): void;
  setPermissionCheckHandler(handler: (contents: unknown, permission: string) => boolean): void;
  setDevicePermissionHandler(handler: () => boolean): void;
}

/** Copying text is a button of the page; everything else is denied. */
const granted: ReadonlySet<string> = new Set(['clipboard-sanitized-write']);

export function denyPermissions(session: BoundSession): void {
  session.setPermissionRequestHandler((_contents, permission, answer) => answer(granted.has(permission)));
  session.setPermissionCheckHandler((_contents, permission) => granted.has(permission));
  session.setDevicePermissionHandler(() => false);
}

export function isWithin(url: string, origin: string | undefined): boolean {
  return origin !== undefined && URL.parse(url)?.origin === origin;
}

export function isExternal(url: string): boolean {
  const parsed = URL.parse(url);
  return parsed !== null && parsed.protocol === 'https:' && parsed.username === '' && parsed.password === '';
}
