/** What kwok.x-k8s.io/v1alpha1 says about nodes and pods besides their stages: metrics, use, logs, forwarded ports. */
import type { KubeObject } from '../../../apimachinery/object.ts';

export interface KwokSelector {
  readonly matchNamespaces?: readonly string[];
  readonly matchNames?: readonly string[];
}

/** An item is about the containers that it names, or about all others where it names none. */
export interface KwokItem {
  readonly containers?: readonly string[];
}

export interface UsageValue {
  readonly value?: string;
  readonly expression?: string;
}

export interface UsageItem extends KwokItem {
  readonly usage?: { readonly [resource: string]: UsageValue };
}

export interface LogItem extends KwokItem {
  readonly logsFile?: string;
  readonly previousLogsFile?: string;
}

export interface AttachItem extends KwokItem {
  readonly logsFile?: string;
}

export interface ExecItem extends KwokItem {
  readonly local?: object;
}

export interface ForwardItem {
  readonly ports?: readonly number[];
  readonly target?: { readonly port: number; readonly address: string };
  readonly command?: readonly string[];
}

/** Of one pod (`ResourceUsage`, `Logs` …, by its name), or of those that the selector of a cluster-wide kind takes. */
export interface KwokTarget extends KubeObject {
  readonly spec?: {
    readonly selector?: KwokSelector;
    readonly usages?: readonly UsageItem[];
    readonly logs?: readonly LogItem[];
    readonly attaches?: readonly AttachItem[];
    readonly execs?: readonly ExecItem[];
    readonly forwards?: readonly ForwardItem[];
  };
}

export interface MetricConfig {
  readonly name: string;
  readonly help?: string;
  readonly kind: 'counter' | 'gauge' | 'histogram';
  readonly dimension?: 'node' | 'pod' | 'container';
  readonly labels?: readonly { readonly name: string; readonly value: string }[];
  readonly value?: string;
  readonly buckets?: readonly { readonly le: number; readonly value: string; readonly hidden?: boolean }[];
}

export interface Metric extends KubeObject {
  readonly spec?: { readonly path?: string; readonly metrics?: readonly MetricConfig[] };
}
