/** A fault as the form asks for it, and as the API takes it. */
import type { FaultSpec, FaultTarget } from '../../../engine/api/sim/v1alpha1/fault.ts';
import type { FaultType } from '../../../engine/api/sim/v1alpha1/fault-type.ts';
import type { JsonObject, JsonValue } from '../../../engine/base/json.ts';
import { parseParameter } from '../../../engine/component-helpers/fault-parameters.ts';
import { parseDuration } from '../../lib/format.ts';

/** What was chosen, in words as they were written. */
export interface FaultChoice {
  readonly type: string;
  readonly title: string;
  readonly target: FaultTarget;
  readonly parameters: { readonly [name: string]: JsonValue };
  /** '' for until it is healed. */
  readonly duration: string;
  /** '' for at once; counted from when it is asked for. */
  readonly startsIn: string;
}

export function targetOf(definition: FaultType | undefined, chosen: string, host: string): FaultTarget {
  if (definition?.target === 'nodes') return chosen.startsWith('zone/') ? { zone: chosen.slice(5) } : { node: chosen.slice(5) };
  return definition?.target === 'image-registry' && host !== '' ? { host } : {};
}

export function parametersOf({ parameters }: FaultType, words: { readonly [parameter: string]: string }): Record<string, JsonValue> {
  const values = parameters.map((table) => [table.name, parseParameter(table, words[table.name] ?? '')] as const);
  return Object.fromEntries(values.filter((entry): entry is readonly [string, JsonValue] => entry[1] !== undefined));
}

/** Instants of the API are whole seconds. */
export function startOf({ startsIn }: FaultChoice, nowMs: number): string | undefined {
  const afterMs = parseDuration(startsIn);
  return afterMs === 0 ? undefined : new Date(Math.ceil((nowMs + afterMs) / 1000) * 1000).toISOString().replace('.000Z', 'Z');
}

export function bodyOf(choice: FaultChoice, nowMs: number): JsonObject {
  const { type, target, parameters, duration } = choice;
  const startAt = startOf(choice, nowMs);
  const spec: FaultSpec = {
    type,
    ...(Object.keys(target).length === 0 ? {} : { target: { ...target } }),
    ...(Object.keys(parameters).length === 0 ? {} : { parameters }),
    ...(startAt === undefined ? {} : { startAt }),
    ...(duration === '' ? {} : { duration }),
  };
  const metadata = { generateName: `${type}-` };
  return { apiVersion: 'sim.wavetank.dev/v1alpha1', kind: 'Fault', metadata, spec: spec as unknown as JsonObject };
}
