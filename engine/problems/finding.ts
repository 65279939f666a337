/** What a detector finds wrong with one object, before findings are grouped. */
import type { KubeObject } from '../apimachinery/object.ts';

export interface Finding {
  readonly reason: string;
  /** When it began, where the object says so; else when the object became suspect. */
  readonly sinceMs?: number;
  readonly summary: string;
  /** Of a sum of its parts, how the summary begins where they say what is wrong; its reason is theirs then. */
  readonly sum?: string;
  /** Row of the object that this one suffers from: `nodes/pool-0`. Its problem takes this one in, whether or not it has a finding of its own. */
  readonly root?: string;
  /** What the root's problem is called if nothing is found wrong with the root itself. */
  readonly rootReason?: string;
  readonly next?: Next;
  /** What holds it back besides: who mends the one is left with these, so each is told where it belongs. */
  readonly also?: readonly Finding[];
}

export interface Next {
  readonly text: string;
  readonly atMs?: number;
}

/** The last warning about an object. */
export interface Warning {
  readonly ms: number;
  readonly reason: string;
  readonly message: string;
}

/** What detectors may look at besides the object. All instants are virtual milliseconds. */
export interface World {
  readonly nowMs: number;
  /** Times that are settings of this cluster. */
  readonly graceMs: number;
  get(resource: string, namespace: string | undefined, name: string): KubeObject | undefined;
  warning(uid: string): Warning | undefined;
}

/**
 * Judges the objects of one resource. `isSuspect` is asked at every change and looks at the object alone: most objects are well, and cost no
 * more than this. `find` is asked when somebody reads, of suspects; undefined when nothing is wrong after all.
 */
export interface Detector<T extends KubeObject = KubeObject> {
  /** With its group, e.g. `deployments.apps`. */
  readonly resource: string;
  isSuspect(object: T): boolean;
  find(object: T, world: World, sinceMs: number): Finding | undefined;
}

export function defineDetector<T extends KubeObject>(detector: Detector<T>): Detector {
  return detector as unknown as Detector;
}
