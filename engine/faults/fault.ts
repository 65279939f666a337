/**
 * The contract of a fault: what breaks, on what, and what people are told will happen. A fault is one file that exports one
 * `defineFault` value; injecting and healing act on one subject (a node, a registry) at a time, and doing so twice does nothing.
 */
import type { FaultTarget } from '../api/sim/v1alpha1/fault.ts';
import type { NodeFaultPoints } from '../contracts/connect.ts';

/** `nodes`: each node that the target names, by `node` or `zone`. `image-registry`: the host, '' for every registry. */
export type FaultTargetKind = 'nodes' | 'image-registry';

export interface FaultDefinition {
  /** `spec.type`. */
  readonly name: string;
  readonly title: string;
  readonly target: FaultTargetKind;
  /** Longest `spec.duration`; default a year. */
  readonly durationMaxMs?: number;
  /** A sentence on what will happen, before it is done. */
  describe(target: FaultTarget): string;
  inject(points: NodeFaultPoints, subject: string): void;
  heal(points: NodeFaultPoints, subject: string): void;
}

export const durationMaxMs = 365 * 24 * 3_600_000;

const names = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;

export function defineFault(definition: FaultDefinition): FaultDefinition {
  if (!names.test(definition.name) || definition.title === '') throw new Error(`fault ${definition.name} lacks a name or a title`);
  return definition;
}

/** `node worker-1`, `every node of zone sim-a`. */
export function nodeWords({ node, zone }: FaultTarget): string {
  return node === undefined ? `every node of zone ${zone ?? ''}` : `node ${node}`;
}
