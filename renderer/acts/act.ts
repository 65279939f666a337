/** What can be done to objects, as data: to which, how it is asked for, the kubectl line that does the same, and what to say before. */
import type { AnyObject } from '../api/objects.ts';
import { collectionPath, type Resource } from '../api/resources.ts';
import { shellQuote } from '../editor/shell-quote.ts';

export interface ActTarget {
  readonly id: string;
  readonly resource: Resource;
  readonly namespace: string;
  readonly name: string;
  /** As it is now, where it is known already. */
  readonly object: AnyObject | undefined;
}

/** When somebody chose the act: its line and what it does are of the same moment, whatever is shown later. */
export interface ActMoment {
  /** Virtual. */
  readonly atMs: number;
  /** Of names that are made up, as the API server ends those that it makes up. */
  readonly suffix: string;
}

export interface ActInput {
  readonly label: string;
  readonly initial: (target: ActTarget) => string;
  /** Why a text will not do, '' when it will. */
  readonly fault: (text: string) => string;
}

export interface Act {
  readonly name: string;
  readonly label: string;
  /** Resources with their group; empty: all. */
  readonly resources: readonly string[];
  /** Whether it makes sense now; for objects that are not known it does. */
  readonly isFor?: (object: AnyObject) => boolean;
  readonly input?: ActInput;
  /** It takes something away: it is told what will happen and asked again. */
  readonly danger?: true;
  /** What will happen, told before it is done: to all of them together, where one changes what becomes of the next. */
  readonly forecast?: (targets: readonly ActTarget[]) => Promise<readonly string[]>;
  readonly kubectl: (target: ActTarget, input: string, moment: ActMoment) => string;
  /** Says what came of it; throws the API server's refusal. */
  readonly run: (target: ActTarget, input: string, moment: ActMoment) => Promise<string>;
}

const suffixLetters = 'bcdfghjklmnpqrstvwxz2456789';
const suffixLength = 5;

export function momentAt(atMs: number): ActMoment {
  const drawn = crypto.getRandomValues(new Uint8Array(suffixLength));
  return { atMs, suffix: [...drawn].map((one) => suffixLetters[one % suffixLetters.length]).join('') };
}

export function typeOf({ resource, group }: Pick<Resource, 'resource' | 'group'>): string {
  return group === '' ? resource : `${resource}.${group}`;
}

export function pathOf({ resource, namespace, name }: Pick<ActTarget, 'resource' | 'namespace' | 'name'>): string {
  return `${collectionPath(resource, resource.namespaced ? namespace : undefined)}/${encodeURIComponent(name)}`;
}

/** `-n shop`, nothing for what has no namespace. */
export function inNamespace({ resource, namespace }: ActTarget): string {
  return resource.namespaced ? ` -n ${shellQuote(namespace)}` : '';
}

/** As kubectl names it without a doubt: `deployment.apps/web`; in quotes where a shell would read more into it. */
export function named({ resource, name }: ActTarget): string {
  const kind = resource.kind.toLowerCase();
  return shellQuote(`${resource.group === '' ? kind : `${kind}.${resource.group}`}/${name}`);
}
