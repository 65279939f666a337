/** CrashRecord: a component of the cluster threw, was recovered, and tried again. Computed, read-only. */
import type { KubeObject } from '../../../apimachinery/object.ts';

export interface CrashRecord extends KubeObject {
  readonly kind: 'CrashRecord';
  /** Who crashed, e.g. `controller/deployment-controller`, `kubelets`, `kube-scheduler`, `apiserver`. */
  readonly component: string;
  /** At what: the key of a queue, a pod, a timer, a request. */
  readonly key: string;
  readonly error: string;
  /** How often so far. */
  readonly count: number;
  readonly firstAt: string;
  readonly lastAt: string;
}
