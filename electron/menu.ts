/** The application menu as data. Commands go to the page, which has the same ones on its keys. */
import type { MenuItemConstructorOptions } from 'electron';
import type { PageCommand } from './ipc/contract.ts';

export interface MenuActions {
  /** Has the page of the focused window carry out a command. */
  readonly send: (command: PageCommand) => void;
  readonly openInBrowser: () => void;
  readonly copyKubeconfig: () => void;
  readonly openExternal: (url: string) => void;
}

export function menuTemplate(platform: string, actions: MenuActions): MenuItemConstructorOptions[] {
  const command = (label: string, name: PageCommand, accelerator?: string): MenuItemConstructorOptions => ({
    label,
    click: () => actions.send(name),
    ...(accelerator !== undefined && { accelerator }),
  });
  const separator: MenuItemConstructorOptions = { type: 'separator' };
  const isMac = platform === 'darwin';
  return [
    ...(isMac ? [{ role: 'appMenu' } as const] : []),
    {
      label: '&Cluster',
      submenu: [
        { label: 'Open in Browser', click: () => actions.openInBrowser() },
        { label: 'Copy kubectl Setup', click: () => actions.copyKubeconfig() },
        separator,
        isMac ? { role: 'close' } : { role: 'quit' },
      ],
    },
    { role: 'editMenu' },
    {
      label: '&Time',
      // Space and full stop belong to the page, where they must not fire while somebody types: no accelerators here.
      submenu: [command('Pause or Resume', 'pause'), command('Step', 'step'), separator, command('Fit Timeline', 'fit-timeline')],
    },
    {
      label: '&View',
      submenu: [
        command('Command Palette…', 'palette', 'CommandOrControl+K'),
        command('Find…', 'find', 'CommandOrControl+F'),
        command('Toggle Drawer', 'toggle-drawer', 'CommandOrControl+J'),
        separator,
        { role: 'reload' },
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        { role: 'togglefullscreen' },
        { role: 'toggleDevTools' },
      ],
    },
    { role: 'windowMenu' },
    {
      role: 'help',
      submenu: [
        command('Keyboard Shortcuts', 'keys'),
        { label: 'Kubernetes Documentation', click: () => actions.openExternal('https://kubernetes.io/docs/') },
      ],
    },
  ];
}
