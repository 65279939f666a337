/**
 * Subresources whose body is another kind and that do more than write a part of the object: binding, eviction, token. Handlers are
 * found by group, resource and subresource; a cluster may add its own.
 */
import type { KubeObject } from '../apimachinery/object.ts';
import type { JsonValue } from '../base/json.ts';
import type { Status } from '../apimachinery/status.ts';
import { assert } from '../base/assert.ts';
import type { WriteCall, WriteCore } from './core.ts';

export interface SubresourceHandler {
  readonly group: string;
  /** The one version that has it; absent: each that is served. */
  readonly version?: string;
  readonly resource: string;
  readonly subresource: string;
  /** Group, version and kind of the body. */
  readonly bodyKind: { readonly group: string; readonly version: string; readonly kind: string };
  /** Other versions that the body may name, with the same fields. */
  readonly alsoTakes?: readonly string[];
  /** Answers a POST. `call.hooks` sees the body as it is created. */
  create(core: WriteCore, call: WriteCall, body: KubeObject): KubeObject | Status;
}

export class SubresourceHandlers {
  readonly #handlers = new Map<string, SubresourceHandler>();

  constructor(handlers: readonly SubresourceHandler[]) {
    for (const handler of handlers) {
      const key = `${handler.group}/${handler.resource}/${handler.subresource}`;
      assert(!this.#handlers.has(key), `subresource ${key} has one handler`);
      this.#handlers.set(key, handler);
    }
  }

  find(group: string, resource: string, subresource: string): SubresourceHandler | undefined {
    return this.#handlers.get(`${group}/${resource}/${subresource}`);
  }

  list(): readonly SubresourceHandler[] {
    return [...this.#handlers.values()];
  }
}

export const success: Status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };

/** A section of an object whose kind is not known here. */
export type Section = { readonly [key: string]: JsonValue | undefined };

export function section(object: KubeObject, name: string): Section {
  const value = (object as KubeObject & { readonly [key: string]: unknown })[name];
  return typeof value === 'object' && value !== null ? (value as Section) : {};
}

export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string;
  readonly observedGeneration?: number;
  readonly lastProbeTime?: string | null;
}

/** The list with `next` in it; the transition time is kept when the status is. */
export function setCondition(conditions: readonly Condition[] | undefined, next: Condition, nowText: string): readonly Condition[] {
  const list = conditions ?? [];
  const index = list.findIndex((condition) => condition.type === next.type);
  const old = list[index];
  const lastTransitionTime = old?.status === next.status && old.lastTransitionTime !== undefined ? old.lastTransitionTime : nowText;
  const merged = { ...next, lastTransitionTime };
  return old === undefined ? list.concat(merged) : list.map((condition, at) => (at === index ? merged : condition));
}
