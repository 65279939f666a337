/** The words of cause chains. */
import type { ParsedCause } from '../base/causes.ts';
import { type ChangeNote, noteText } from './change-notes.ts';

/** `replicaset-controller` for its service account, `kubelet of pool-0` for a node. */
export function shortIdentity(identity: string): string {
  if (identity.startsWith('system:node:')) return `kubelet of ${identity.slice('system:node:'.length)}`;
  if (identity.startsWith('system:serviceaccount:')) return identity.slice(identity.lastIndexOf(':') + 1);
  return identity.startsWith('system:') ? identity.slice('system:'.length) : identity;
}

export function writeSentence(note: ChangeNote): string {
  const { row, action, by } = note;
  const text = noteText(note);
  const who = shortIdentity(by);
  const what = `${row.kind} ${row.namespace !== '' && row.namespace !== 'default' ? `${row.namespace}/` : ''}${row.name}`;
  switch (action) {
    case 'create':
      return `${who} created ${what}`;
    case 'delete':
      return text === '' ? `${who} removed ${what}` : `${who} deleted ${what}, which now has its grace period to end`;
    case 'update':
      return text === '' ? `${who} wrote ${what} again` : `${who} changed ${what}: ${text}`;
  }
}

/** A cause that is not followed, in passing. */
export function causeWords(cause: ParsedCause): string {
  switch (cause.type) {
    case 'write':
      return `change ${cause.revision}`;
    case 'timer':
      return timerWords(cause.component, cause.name);
    case 'input':
      return `input ${cause.input}`;
    case 'silence':
      return `the silence of ${cause.node}`;
    case 'other':
      return cause.text;
  }
}

/** `controller/deployment-controller` and the like are one component, although causes split at the first slash. */
export function timerWords(component: string, name: string): string {
  const full = `${component}/${name}`;
  const [, owner = component, timer = name] = /^(?:controller\/)?([^/]+)\/(.*)$/.exec(full) ?? [];
  return `a timer of ${owner} (${timer})`;
}
