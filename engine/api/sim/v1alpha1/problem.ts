/** `problems`: what is not as its owner wishes, grouped by what it comes from, as a computed API object. */
import type { KubeObject } from '../../../apimachinery/object.ts';

export interface ProblemSubject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  /** Row of the timeline: `deployments.apps/default/web`. */
  readonly row: string;
}

export interface ProblemNext {
  /** One sentence without its time: `its pods are evicted`. */
  readonly text: string;
  /** RFC 3339; absent where nobody can say when. */
  readonly at?: string;
}

export interface ProblemStatus {
  readonly subject: ProblemSubject;
  /** A word, as the objects themselves have it where they do: `CrashLoopBackOff`, `NodeNotReady`, `Unschedulable`. */
  readonly reason: string;
  readonly since: string;
  /** One sentence. */
  readonly summary: string;
  /** Where the chain of causes begins. */
  readonly cause?: { readonly text: string; readonly revision?: number; readonly row?: string };
  /** What will happen by itself. */
  readonly next?: ProblemNext;
  /** How many other objects suffer from it, and the first of them. */
  readonly affected?: { readonly count: number; readonly kinds: { readonly [kind: string]: number }; readonly rows: readonly string[] };
}

/**
 * Named `<kind>-<name of the subject>`, with the group behind kinds that users defined (`<kind>.<group>-<name>`) and `webhook-<its name>` for
 * webhooks; in the subject's namespace, or in `default` for one that has none.
 */
export interface Problem extends KubeObject {
  readonly status: ProblemStatus;
}
