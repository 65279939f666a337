/**
 * Writes Event objects for a component (client-go's EventRecorder with its correlator): the same event again within ten minutes
 * raises `count` by a patch, many similar ones are aggregated, a token bucket of 25 with one token per five minutes limits each
 * source and object. Fire and forget: the write is a call in flight of its own.
 */
import type { Cause } from '../base/causes.ts';
import type { KubeObject } from '../apimachinery/object.ts';

export interface EventRecorder {
  /** `object` is what the event is about; its kind and apiVersion must be set. `causes` as of the act it tells of. */
  event(object: KubeObject, type: 'Normal' | 'Warning', reason: string, message: string, causes: readonly Cause[], options?: EventOptions): void;
}

export interface EventOptions {
  /** involvedObject.fieldPath, e.g. `spec.containers{c}`. */
  readonly fieldPath?: string;
  /** Of the Event itself. */
  readonly annotations?: { readonly [name: string]: string };
  /** What was done or tried, e.g. `Binding`. */
  readonly action?: string;
  /** Another object that it has to do with; Events of core/v1 do not say. */
  readonly related?: KubeObject;
}
