/** The clients beside every run. */
import { Applier } from './applier.ts';
import type { Bystander } from './client.ts';
import { Pager, Rememberer } from './pager.ts';
import { watchers } from './watcher.ts';
import { Writer } from './writer.ts';

export function allClients(): readonly Bystander[] {
  return [...watchers(), new Pager(), new Rememberer(), new Applier(), new Writer()];
}
