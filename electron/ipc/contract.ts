/**
 * What the three processes of the desktop app say to each other, as data: the main process and the engine's process, and the main
 * process and the page. Everything about the cluster goes over the Kubernetes API and not through here.
 */

/** Main process to engine process. */
export type EngineRequest =
  /** Arguments as `wavetank up` takes them. */
  { readonly type: 'start'; readonly args: readonly string[] } | { readonly type: 'stop' };

export interface EngineReady {
  readonly name: string;
  /** Address of the page, with the session's credential. */
  readonly page: string;
  readonly kubeconfig: string;
}

/** Engine process to main process. */
export type EngineReply =
  | { readonly type: 'ready'; readonly cluster: EngineReady }
  /** The cluster could not start or has failed; the message is for people. */
  | { readonly type: 'failed'; readonly message: string }
  | { readonly type: 'stopped'; readonly exitCode: number };

/** Menu commands that the page carries out. */
export const pageCommands = ['pause', 'step', 'find', 'palette', 'fit-timeline', 'toggle-drawer', 'keys'] as const;
export type PageCommand = (typeof pageCommands)[number];

export const channels = { command: 'wavetank:command', openFiles: 'wavetank:open-files', saveFile: 'wavetank:save-file' } as const;

export interface OpenedFile {
  readonly name: string;
  readonly text: string;
}

/** `window.wavetank` in the page; absent in a browser. */
export interface DesktopBridge {
  readonly platform: string;
  /** Calls back for each menu command; returns what ends it. */
  onCommand(listener: (command: PageCommand) => void): () => void;
  /** Asks for manifests, scenarios or sessions; empty when the person changes their mind. */
  openFiles(): Promise<readonly OpenedFile[]>;
  /** Asks where to save; false when the person changes their mind. */
  saveFile(name: string, text: string): Promise<boolean>;
}
