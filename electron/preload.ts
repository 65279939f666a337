/** The only bridge between the page and the app: menu commands in, files the person chose. Runs sandboxed, apart from the page. */
import { contextBridge, ipcRenderer, type IpcRendererEvent } from 'electron';
import { channels, type DesktopBridge, type PageCommand } from './ipc/contract.ts';

const bridge: DesktopBridge = {
  platform: process.platform,
  onCommand: (listener) => {
    const receive = (_event: IpcRendererEvent, command: PageCommand): void => listener(command);
    ipcRenderer.on(channels.command, receive);
    return () => ipcRenderer.off(channels.command, receive);
  },
  openFiles: () => ipcRenderer.invoke(channels.openFiles),
  saveFile: (name, text) => ipcRenderer.invoke(channels.saveFile, name, text),
};

contextBridge.exposeInMainWorld('wavetank', bridge);
