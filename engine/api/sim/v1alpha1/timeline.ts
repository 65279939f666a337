/** What history answers, as computed API objects: `timelines`, `causechains`, `schedulingdecisions`, `settings`. All times are virtual milliseconds since the epoch. */
import type { KubeObject } from '../../../apimachinery/object.ts';
import type { JsonValue } from '../../../base/json.ts';

/** A stretch of an object's life in one state. */
export interface TimelineSegment {
  readonly fromMs: number;
  /** Absent while it lasts. */
  readonly toMs?: number;
  /** Pod phases and `Terminating`; `Ready`/`NotReady`/`Unknown` for nodes; `Complete`, `Failed`, `Running`, `Suspended` for jobs; `Suspended` for cron jobs; `Exists` else. */
  readonly state: string;
  readonly ready?: boolean;
  /** Of pods, what their phase leaves open: `CrashLoopBackOff`, `ImagePullBackOff`, `Unschedulable`, `Starting`, `NotReady` …; absent when nothing is wrong. */
  readonly reason?: string;
}

export interface TimelineMark {
  readonly ms: number;
  readonly type:
    | 'create'
    | 'update'
    | 'status'
    | 'delete'
    | 'event'
    | 'condition'
    | 'restart'
    | 'scheduled'
    | 'started'
    | 'missed'
    | 'finished'
    | 'skipped'
    | 'replaced';
  readonly revision?: number;
  /** One line: what changed (`status.phase: Pending → Running`) or the Event's reason and message. */
  readonly text: string;
  /** Normal or Warning, for events. */
  readonly level?: string;
  readonly by?: string;
}

export interface TimelineRow {
  /** `<resource>.<group>/<namespace>/<name>`, e.g. `pods/default/web-1` or `jobs.batch/default/x`. */
  readonly id: string;
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly resource: string;
  readonly namespace?: string;
  readonly name: string;
  readonly uid: string;
  /** Row id of the controller owner. */
  readonly owner?: string;
  readonly node?: string;
  readonly createdMs: number;
  readonly deletedMs?: number;
  readonly segments: readonly TimelineSegment[];
  /**
   * Of workloads, Services and nodes, how much was wished for and was there, four numbers for each step, from the one in force when the range
   * begins: milliseconds, wished, ready, there (ready or not). Of a Service endpoints, of a node its pods.
   */
  readonly area?: readonly number[];
  readonly marks: readonly TimelineMark[];
  /** Marks left out of `marks` because there are more than the resolution can show, counted per bucket of the range. */
  readonly density?: readonly number[];
  /** How many of them are Events that are no warnings, and how many are warnings. */
  readonly densityEvents?: readonly number[];
  readonly densityWarnings?: readonly number[];
  /** Oldest marks of little weight that are no longer remembered. */
  readonly droppedMarks?: number;
}

/** One that is planned begins after now. */
export interface TimelineFault {
  readonly name: string;
  readonly type: string;
  readonly fromMs: number;
  /** Absent while it lasts. */
  readonly toMs?: number;
  /** When it will end by itself. */
  readonly healsMs?: number;
  readonly affected: readonly string[];
}

/** A component threw, was recovered and tried again; like crashes are one. */
export interface TimelineCrash {
  readonly component: string;
  readonly key: string;
  /** The error's name and message: no stack, which differs from build to build. */
  readonly error: string;
  readonly firstMs: number;
  readonly lastMs: number;
  readonly count: number;
}

/** Rows that stand together. Grouped by owner, a group is a row that owns others, under its id. */
export interface TimelineGroup {
  readonly key: string;
  /** Rows in it, shown or not; by owner, without the owning row. */
  readonly count: number;
}

/**
 * GET …/timelines/main?from=MS&to=MS&buckets=N&kind=Pod,Job&namespace=NS&owner=ROWID&object=ROWID&search=TEXT&offset=N&limit=N
 *   &label=SELECTOR&severity=warning&changed=true&sort=tree|trouble|time|size&group=owner|node|namespace|kind|none&collapsed=KEY,KEY&shownFrom=MS&shownTo=MS&packed=true
 * `total` counts the rows that match; `rows` holds offset…offset+limit of them (default limit 200) in tree order (owners before what they own).
 * `label` asks what is stored now; `severity=warning` gives rows with a warning, a failure or too little ready in the range, `changed` those with a mark in it.
 * Sorted rows stand alone (`group=none`) unless a group is named: most time in trouble first, latest mark first, or most owned rows first.
 * `groups` stand in the order of their rows; rows of collapsed ones (`*,KEY`: of all but KEY) are left out of `rows` and `total`. Only rows that lived between shownFrom and shownTo are given.
 * `packed=true` gives the same in the shorter form of packed-timeline.ts, of groups by owner those alone whose owner is among `rows`.
 */
export interface Timeline extends KubeObject {
  readonly kind: 'Timeline';
  readonly range: {
    readonly fromMs: number;
    readonly toMs: number;
    readonly startMs: number;
    readonly nowMs: number;
    /** Rows of objects that were deleted up to here are no longer remembered; absent while all are. */
    readonly forgottenUntilMs?: number;
  };
  readonly total: number;
  readonly groups?: readonly TimelineGroup[];
  readonly rows: readonly TimelineRow[];
  /** Areas of all pods and all nodes. */
  readonly cluster: { readonly pods: readonly number[]; readonly nodes: readonly number[] };
  readonly faults: readonly TimelineFault[];
  readonly crashes: readonly TimelineCrash[];
}

export interface CauseLink {
  readonly type: 'write' | 'timer' | 'input' | 'silence' | 'fault' | 'other';
  readonly revision?: number;
  readonly ms?: number;
  /** Row id of the written object. */
  readonly object?: string;
  /** create, update, delete … */
  readonly action?: string;
  readonly by?: string;
  /** A sentence a person would write: `replicaset-controller created pod web-2`. */
  readonly text: string;
}

/** GET …/causechains/<revision>, or …/causechains/of?object=ROWID for the last change of an object. Newest first. */
export interface CauseChain extends KubeObject {
  readonly kind: 'CauseChain';
  readonly links: readonly CauseLink[];
}

/** GET …/namespaces/<ns>/schedulingdecisions/<pod> */
export interface SchedulingDecision extends KubeObject {
  readonly kind: 'SchedulingDecision';
  readonly attempts: readonly JsonValue[];
}

/** Where kubectl finds a cluster on the machine of its engine. */
export interface ClusterAccess {
  /** Path of the file. */
  readonly kubeconfig: string;
  readonly context: string;
  /** Address of the API server; branches answer below it. */
  readonly server: string;
}

/** GET …/settings/cluster: every option in force under its flag name. */
export interface Settings extends KubeObject {
  readonly kind: 'Settings';
  readonly options: { readonly [flag: string]: JsonValue };
  /** Absent where no file leads to it. */
  readonly access?: ClusterAccess;
}
