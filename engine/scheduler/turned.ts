/** What becomes of a pod that was given a node: it has its place, may be bound, or is turned back. */
import type { Node } from '../api/core/v1/types.gen.ts';
import type { PermitWait } from './framework/plugin.ts';
import { PluginError, type Status } from './framework/status.ts';
import type { Verdicts } from './verdicts.ts';

/** Why a pod did not keep the place that was reserved for it. */
export interface Turned {
  readonly code: 'unschedulable' | 'error';
  readonly message: string;
  readonly rejectors: readonly string[];
  readonly nominatedNodeName: '';
  /** As in `DecisionRecord.at`. */
  readonly at: string;
  readonly verdicts: Verdicts;
}

/** A pod that has its place. */
export interface Held {
  readonly node: Node;
  readonly verdicts: Verdicts;
}

/** It may be bound once these plugins let it go on. */
export interface Permitted {
  readonly permits: readonly PermitWait[];
  readonly verdicts: Verdicts;
}

export function turnedBy(point: 'Reserve' | 'Permit', plugin: string, before: Verdicts, ask: () => Status | undefined): Turned | undefined {
  try {
    const status = ask();
    return status === undefined ? undefined : turnedAway(status, before.with(point, plugin, 'Unschedulable'));
  } catch (error) {
    if (!(error instanceof PluginError)) throw error;
    const message = error.isWhole ? error.message : `running ${point} plugin "${plugin}": ${error.message}`;
    return { code: 'error', message, rejectors: [], nominatedNodeName: '', at: point, verdicts: before.with(point, plugin, 'Error') };
  }
}

export function turnedAway({ plugin, reasons }: Status, verdicts: Verdicts): Turned {
  const message = `0/1 nodes are available: 1 ${reasons.join(', ')}.`;
  return { code: 'unschedulable', message, rejectors: [plugin], nominatedNodeName: '', at: `plugin ${JSON.stringify(plugin)}`, verdicts };
}
