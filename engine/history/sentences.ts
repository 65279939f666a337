/** The words of cause chains. */
import type { KubeObject } from '../apimachinery/object.ts';
import type { ParsedCause } from '../base/causes.ts';
import type { Change } from '../store/store.ts';
import { describeChange } from './recorder.ts';

export type Action = 'create' | 'update' | 'delete';

/** `replicaset-controller` for its service account, `kubelet of pool-0` for a node. */
export function shortIdentity(identity: string): string {
  if (identity.startsWith('system:node:')) return `kubelet of ${identity.slice('system:node:'.length)}`;
  if (identity.startsWith('system:serviceaccount:')) return identity.slice(identity.lastIndexOf(':') + 1);
  return identity.startsWith('system:kube-') ? identity.slice('system:'.length) : identity;
}

export function actionOf({ current, previous }: Change<KubeObject>): Action {
  if (current === undefined) return 'delete';
  return previous === undefined ? 'create' : 'update';
}

export function objectWords({ current, previous }: Change<KubeObject>): string {
  const object = current?.value ?? previous?.value;
  const { namespace, name = '' } = object?.metadata ?? {};
  return `${object?.kind ?? 'object'} ${namespace && namespace !== 'default' ? `${namespace}/` : ''}${name}`;
}

export function writeSentence(change: Change<KubeObject>): string {
  const who = shortIdentity(change.meta.identity);
  const what = objectWords(change);
  switch (actionOf(change)) {
    case 'create':
      return `${who} created ${what}`;
    case 'delete':
      return `${who} removed ${what}`;
    case 'update': {
      if (isFirstDelete(change)) return `${who} deleted ${what}, which now has its grace period to end`;
      const text = describeChange(change);
      return text === '' ? `${who} wrote ${what} again` : `${who} changed ${what}: ${text}`;
    }
  }
}

function isFirstDelete({ current, previous }: Change<KubeObject>): boolean {
  return current?.value.metadata.deletionTimestamp !== undefined && previous?.value.metadata.deletionTimestamp === undefined;
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
