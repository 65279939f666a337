/** The desktop app: one window on the page of a cluster that runs in a process of its own. */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { app, BrowserWindow, clipboard, dialog, ipcMain, Menu, screen, session, shell, utilityProcess } from 'electron';
import { EngineProcess } from './engine-process.ts';
import { openFiles, saveFile } from './files.ts';
import { channels, type EngineReady, type PageCommand } from './ipc/contract.ts';
import { menuTemplate } from './menu.ts';
import { bindContents, denyPermissions, isWithin, webPreferences } from './security.ts';
import { readWindowState, windowMin, writeWindowState } from './window-state.ts';

const here = dirname(fileURLToPath(import.meta.url));
let engine: EngineProcess | undefined;
let cluster: EngineReady | undefined;

const pageOrigin = (): string | undefined => (cluster === undefined ? undefined : new URL(cluster.page).origin);
const openExternal = (url: string): void => void shell.openExternal(url);

app.enableSandbox();
app.on('web-contents-created', (_event, contents) => bindContents(contents, { origin: pageOrigin, openExternal }));
app.on('window-all-closed', () => {
  if (process.platform !== 'darwin') app.quit();
});
app.on('activate', () => {
  if (cluster !== undefined && BrowserWindow.getAllWindows().length === 0) openWindow(cluster);
});
app.on('before-quit', (event) => {
  const running = engine;
  if (running === undefined) return;
  event.preventDefault();
  engine = undefined;
  void running.stop().finally(() => app.quit());
});
void app.whenReady().then(start);

async function start(): Promise<void> {
  denyPermissions(session.defaultSession);
  answerPage();
  const child = utilityProcess.fork(join(here, 'engine-host.js'), [], { serviceName: 'Wavetank cluster', stdio: 'inherit' });
  engine = new EngineProcess({ child, args: engineArguments(), onLost: fail });
  try {
    cluster = await engine.ready;
  } catch (error) {
    fail((error as Error).message);
    return;
  }
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(process.platform, menuActions(cluster))));
  openWindow(cluster);
}

/** Electron's own switches come before the two dashes. */
function engineArguments(): readonly string[] {
  const dashes = process.argv.indexOf('--');
  return dashes < 0 ? [] : process.argv.slice(dashes + 1);
}

function openWindow({ name, page }: EngineReady): void {
  const stateFile = join(app.getPath('userData'), 'window.json');
  const { maximized, ...bounds } = readWindowState(
    stateFile,
    screen.getAllDisplays().map((display) => display.workArea),
  );
  const window = new BrowserWindow({
    ...bounds,
    minWidth: windowMin.width,
    minHeight: windowMin.height,
    title: `Wavetank — ${name}`,
    show: false,
    webPreferences: webPreferences(join(here, 'preload.cjs')),
  });
  if (maximized) window.maximize();
  window.once('ready-to-show', () => window.show());
  window.on('close', () => writeWindowState(stateFile, window.getNormalBounds(), window.isMaximized()));
  window.loadURL(page).catch((error: Error) => fail(`the page does not open: ${error.message}`));
}

function menuActions({ page, kubeconfig }: EngineReady): Parameters<typeof menuTemplate>[1] {
  return {
    send: (command: PageCommand) => BrowserWindow.getFocusedWindow()?.webContents.send(channels.command, command),
    openInBrowser: () => openExternal(page),
    copyKubeconfig: () =>
      clipboard.writeText(process.platform === 'win32' ? `$env:KUBECONFIG = '${kubeconfig}'` : `export KUBECONFIG='${kubeconfig}'`),
    openExternal,
  };
}

/** Answers the page, and nobody else who might be shown in a window. */
function answerPage(): void {
  const window = (frame: Electron.WebFrameMain | null): BrowserWindow | undefined => {
    if (frame === null || !isWithin(frame.url, pageOrigin())) return undefined;
    return BrowserWindow.getAllWindows().find((one) => one.webContents.mainFrame === frame);
  };
  ipcMain.handle(channels.openFiles, (event) => {
    const asking = window(event.senderFrame);
    return asking === undefined ? [] : openFiles((options) => dialog.showOpenDialog(asking, options));
  });
  ipcMain.handle(channels.saveFile, (event, name: unknown, text: unknown) => {
    const asking = window(event.senderFrame);
    return asking === undefined ? false : saveFile((options) => dialog.showSaveDialog(asking, options), name, text);
  });
}

function fail(message: string): void {
  engine = undefined;
  process.stderr.write(`wavetank: ${message}\n`);
  dialog.showErrorBox('Wavetank stopped', message);
  app.exit(70);
}
