import type { MenuItemConstructorOptions } from 'electron';
import { expect, test } from 'vitest';
import { pageCommands } from './ipc/contract.ts';
import { menuTemplate } from './menu.ts';

function itemsOf(template: readonly MenuItemConstructorOptions[]): readonly MenuItemConstructorOptions[] {
  return template.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? itemsOf(item.submenu) : [])]);
}

test.each(['linux', 'darwin', 'win32'])('on %s every page command has one item, and no two items share keys', (platform) => {
  const sent: string[] = [];
  const template = menuTemplate(platform, {
    send: (command) => sent.push(command),
    openInBrowser: () => {},
    copyKubeconfig: () => {},
    openExternal: () => {},
  });
  const items = itemsOf(template);
  for (const item of items) (item.click as (() => void) | undefined)?.();
  expect(sent.toSorted()).toEqual([...pageCommands].sort());
  const keys = items.flatMap((item) => (item.accelerator === undefined ? [] : [item.accelerator]));
  expect(new Set(keys).size).toBe(keys.length);
  expect(items.some((item) => item.role === (platform === 'darwin' ? 'appMenu' : 'quit'))).toBe(true);
});
