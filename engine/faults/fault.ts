/**
 * The contract of a fault: what breaks, on what, with which parameters, and what people are told will happen. A fault is one file that
 * exports one `defineFault` value. It does nothing by itself: it says which values stand at which fault points while it lasts.
 */
import type { FaultTypeTable, ParameterTable } from '../api/sim/v1alpha1/fault-type.ts';
import type { FaultTarget } from '../api/sim/v1alpha1/fault.ts';
import type { FaultEffect, FaultPoint } from '../base/fault-points.ts';
import type { JsonValue } from '../base/json.ts';

/** Settings that decide what becomes of a fault. */
export interface FaultSettings {
  /** `--node-monitor-grace-period` */
  readonly graceMs: number;
  /** `--default-unreachable-toleration-seconds` */
  readonly evictionMs: number;
  /** `--cloud-provider` names one. */
  readonly hasCloud: boolean;
}

/** The parameters in force: what was given, and the defaults of the rest. */
export class FaultParameters {
  readonly #values: { readonly [name: string]: JsonValue };

  constructor(values: { readonly [name: string]: JsonValue }) {
    this.#values = values;
  }

  text(name: string): string {
    return String(this.#values[name] ?? '');
  }

  number(name: string): number {
    return Number(this.#values[name] ?? 0);
  }

  list(name: string): readonly string[] {
    return (this.#values[name] ?? []) as readonly string[];
  }
}

export interface FaultPlan {
  readonly target: FaultTarget;
  readonly parameters: FaultParameters;
}

export interface FaultDefinition extends FaultTypeTable {
  readonly parameters: { readonly [name: string]: ParameterTable };
  /** What the cluster must have; without it the fault fails. */
  readonly needs?: 'cloud';
  /** A sentence on what will happen, before it is done. */
  describe(plan: FaultPlan, settings: FaultSettings): string;
  /** What it does to one subject: a node, a registry host ('' for all), or '' when the target has no subjects. */
  effects(subject: string, parameters: FaultParameters): readonly FaultEffect[];
}

/** A kubelet gives up a silent connection after so long: HTTP/2 health checks at 30 s and 15 s. */
export const connectionDeadMs = 45_000;

const names = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;

export function defineFault(definition: FaultDefinition): FaultDefinition {
  if (!names.test(definition.name) || definition.title === '') throw new Error(`fault ${definition.name} lacks a name or a title`);
  return definition;
}

/** Why a fault cannot strike this cluster, if so. */
export function unmetNeed({ needs }: FaultDefinition, { hasCloud }: FaultSettings): string | undefined {
  return needs === 'cloud' && !hasCloud ? 'there is no cloud; a cluster started with --cloud-provider=wavetank has one' : undefined;
}

/** An effect of the point's own type. */
export function effect<V, C>(point: FaultPoint<V, C>, subject: string, value: V): FaultEffect {
  return { point: point.name, subject, value: value as JsonValue };
}

/** `node worker-1`, `every node of zone sim-a`. */
export function nodeWords({ node, zone }: FaultTarget): string {
  return node === undefined ? `every node of zone ${zone ?? ''}` : `node ${node}`;
}

/** `50 s`, `5 min`, `1.5 s`. */
export function timeWords(ms: number): string {
  if (ms >= 60_000 && ms % 60_000 === 0) return `${ms / 60_000} min`;
  return ms >= 1000 || ms === 0 ? `${ms / 1000} s` : `${ms} ms`;
}

export function shareWords(share: number): string {
  return `${Math.round(share * 1000) / 10} %`;
}
