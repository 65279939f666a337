/** Scenario and ScenarioRun: a statechart that acts on a cluster and judges what happens, and one execution of it. */
import type { KubeObject } from '../../../apimachinery/object.ts';
import type { JsonObject } from '../../../base/json.ts';

/** One thing a scenario does or waits for. Exactly one of the act fields is present. Durations are Go durations of virtual time. */
export interface ScenarioStep {
  readonly name: string;
  readonly description?: string;
  readonly hint?: string;
  /** Objects to apply (server-side apply, manager `wavetank-scenario`). */
  readonly apply?: readonly KubeObject[];
  readonly delete?: readonly ObjectSelector[];
  /** A merge patch. */
  readonly patch?: { readonly target: ObjectSelector; readonly merge: JsonObject };
  /** Lets time pass. */
  readonly wait?: string;
  /** Waits until the expectation holds, at most `timeout` (default 10m); failing to is a failed run. */
  readonly waitFor?: ScenarioExpectation & { readonly timeout?: string };
}

export interface ObjectSelector {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly labelSelector?: string;
}

/** A statement about the cluster, checked on virtual time. */
export interface ScenarioExpectation {
  readonly name?: string;
  readonly object: ObjectSelector;
  /** CEL-free path conditions: every one holds for the object (or for each / count of the selected objects). */
  readonly where?: readonly {
    readonly path: string;
    readonly equals?: string | number | boolean;
    readonly exists?: boolean;
    readonly atLeast?: number;
    readonly atMost?: number;
  }[];
  /** How many selected objects satisfy `where`; default at least one. */
  readonly count?: { readonly equals?: number; readonly atLeast?: number; readonly atMost?: number };
  /** Step whose start is instant zero of `at`, `before`, `after`; default the start of the run. */
  readonly since?: string;
  /** Must become true within [after, before] of `since`. */
  readonly after?: string;
  readonly before?: string;
}

export interface ScenarioSpec {
  readonly title: string;
  readonly description?: string;
  readonly seed?: number;
  /** Cluster configuration: nodes, zones, startTime, emulate (a release) and options under their flag names. */
  readonly cluster?: JsonObject;
  readonly steps: readonly ScenarioStep[];
  readonly expectations?: readonly ScenarioExpectation[];
}

export interface Scenario extends KubeObject {
  readonly kind: 'Scenario';
  readonly spec: ScenarioSpec;
}

export interface ExpectationStatus {
  readonly name: string;
  readonly result: 'Pending' | 'Met' | 'Missed';
  readonly decidedAt?: string;
  readonly message?: string;
}

export interface ScenarioRunStatus {
  readonly phase?: 'Pending' | 'Running' | 'Passed' | 'Failed';
  /** Active state of the chart. */
  readonly state?: string;
  /** The chart's context as plain data. */
  readonly context?: JsonObject;
  readonly startedAt?: string;
  readonly finishedAt?: string;
  readonly steps?: readonly { readonly name: string; readonly startedAt?: string; readonly finishedAt?: string }[];
  readonly expectations?: readonly ExpectationStatus[];
  readonly message?: string;
  /** Where its own cluster can be looked at, below the address of this one: `/branches/run-NAME`. */
  readonly branch?: string;
  /** Hash of the history at the moment of the verdict. */
  readonly digest?: string;
}

/** Of a ScenarioRun: with `true` its cluster, once it has ended, goes after those of other runs. */
export const keepAnnotation = 'sim.wavetank.dev/keep';

export interface ScenarioRun extends KubeObject {
  readonly kind: 'ScenarioRun';
  readonly spec: {
    readonly scenario: string;
    /**
     * Where it runs: `Own` (default), in a cluster made for it from the scenario's configuration; `Present`, in this one, where it touches
     * nothing that it did not make.
     */
    readonly cluster?: 'Own' | 'Present';
  };
  readonly status?: ScenarioRunStatus;
}
