/** `changes` and `differences`: what one write did and why, and what differs between two instants, as computed API objects. */
import type { KubeObject } from '../../../apimachinery/object.ts';
import type { CauseLink } from './timeline.ts';

/** The object that was written. */
export interface ChangeSubject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly uid: string;
  /** Row of the timeline: `deployments.apps/default/web`. */
  readonly row: string;
}

export interface FieldChange {
  /** `spec.template.spec.containers[app].image`. */
  readonly path: string;
  /** Absent where the field was not there; what is no text stands as JSON. A long one is shortened to the part that differs, and ends in `…`. */
  readonly before?: string;
  readonly after?: string;
  /** How many characters there are of a value that is shortened. */
  readonly beforeLength?: number;
  readonly afterLength?: number;
  /** It only says that time has passed, or that something was written: `metadata.generation`. */
  readonly bookkeeping?: true;
}

/** A change that came of this one. */
export interface ChangeEffect {
  readonly revision: number;
  readonly ms: number;
  readonly row: string;
  readonly verb: ChangeVerb;
  readonly by: string;
  readonly text: string;
}

export type ChangeVerb = 'create' | 'update' | 'delete';

export interface ChangeStatus {
  readonly revision: number;
  readonly time: string;
  /** Virtual milliseconds. */
  readonly ms: number;
  readonly verb: ChangeVerb;
  readonly subject: ChangeSubject;
  readonly username: string;
  /** The same in short: `kubelet of pool-0`. */
  readonly actor: string;
  /** Of a request from outside, as long as it is remembered. */
  readonly userAgent?: string;
  /** Its name among `apirequests`. */
  readonly request?: string;
  /** Who the object says wrote it (`metadata.managedFields`). */
  readonly fieldManagers?: readonly string[];
  readonly summary: string;
  /** What history noted then, in a line for each part; it is kept longer than the objects are. */
  readonly facts: readonly string[];
  /** Absent in lists, and where the objects are no longer remembered. */
  readonly fields?: readonly FieldChange[];
  /** Fields that changed beside these. */
  readonly moreFields?: number;
  /** What it was done because of, directly. Absent in lists. */
  readonly causes?: readonly CauseLink[];
  /** Absent in lists. */
  readonly effects?: readonly ChangeEffect[];
  readonly moreEffects?: number;
}

/**
 * GET …/changes/<revision>, and a list: newest first, `from`, `to` (virtual milliseconds), `object` (a row of the timeline) and field selectors
 * select. Leases, Events and ranges of addresses have no changes here.
 */
export interface Change extends KubeObject {
  readonly status: ChangeStatus;
}

export const differenceTypes = ['Created', 'Deleted', 'Recreated', 'Changed', 'CameAndWent', 'Events'] as const;
/** `CameAndWent`: it was there at neither instant; `Events`: nothing of it changed, but Events tell of it. */
export type DifferenceType = (typeof differenceTypes)[number];

export interface DifferenceStatus {
  /** The two instants as they were asked for, in RFC 3339. */
  readonly from: string;
  readonly to: string;
  readonly change: DifferenceType;
  readonly subject: ChangeSubject;
  /** Of the object at the first instant and at the second; absent where it was not there at both, or is no longer remembered. */
  readonly fields?: readonly FieldChange[];
  readonly moreFields?: number;
  /** What history noted between the two, where the objects are no longer remembered; the newest last. */
  readonly facts?: readonly string[];
  /** How many changes there were between, how many Events of them warnings, and what the last Event or warning said. */
  readonly changes: number;
  readonly events: number;
  readonly warnings: number;
  readonly lastEvent?: string;
  /** The last change between the two. */
  readonly revision?: number;
  readonly ms: number;
  readonly actor?: string;
  /** Marks of the object were forgotten: there may have been more. */
  readonly isCut?: true;
  /** How it stood at the second instant, where it was not there at the first: `1 of 3 ready`, `CrashLoopBackOff`. */
  readonly state?: string;
}

/**
 * A list, of `from` and `to` (virtual milliseconds, or the selectors `status.from` and `status.to` in RFC 3339; unless given, the last ten
 * minutes), by `kind` (names, with commas), `change`, `search`, `namespace`, `sort` (`time`, the last change first; `object`), `limit` and `continue`; of each
 * object that differs one, named as problems are.
 */
export interface Difference extends KubeObject {
  readonly status: DifferenceStatus;
}
