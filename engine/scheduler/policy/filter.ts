/** All predicates of a policy as one plugin: one after the other until one turns the node down, or all of them where the policy says so. */
import { definePlugin, type Handle, type Plugin, type PluginDefinition } from '../framework/plugin.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import { PluginError, type Status } from '../framework/status.ts';
import { ignoredResources } from '../extenders/options.ts';
import type { Policy } from './policy.ts';
import { isUnresolvable, type Predicate, predicatesOf } from './predicates.ts';

interface State {
  readonly states: readonly unknown[];
  readonly isSkipped: boolean[];
  /** Of predicates that fail for the pod wherever it goes, as soon as one node gets so far. */
  readonly faults: (string | undefined)[];
}

/** As the factory of volumes words it; the pod is told before any node is looked at. */
const unbound = 'pod has unbound immediate PersistentVolumeClaims';

export function filterOf(policy: Policy): PluginDefinition {
  return definePlugin<State>({
    name: 'Predicates',
    order: 100,
    defaultWeight: 0,
    points: ['PreFilter', 'Filter', 'Reserve', 'PreBind'],
    args: {},
    reasons: [],
    create: (handle) =>
      new Filter(handle, predicatesOf(policy.predicates, policy.gates, handle, ignoredResources(policy.extenders)), policy.checksAllPredicates),
  });
}

class Filter implements Plugin<State> {
  readonly crossNode = true;
  readonly bindTimeoutMs: number;
  readonly bindTimeoutText: string;
  readonly #handle: Handle;
  readonly #parts: readonly Predicate[];
  readonly #checksAll: boolean;

  constructor(handle: Handle, parts: readonly Predicate[], checksAll: boolean) {
    this.#handle = handle;
    this.#parts = parts;
    this.#checksAll = checksAll;
    const waiting = parts.find(({ plugin }) => plugin.isBindable !== undefined)?.plugin;
    this.bindTimeoutMs = waiting?.bindTimeoutMs ?? 0;
    this.bindTimeoutText = waiting?.bindTimeoutText ?? '';
  }

  classState(pod: Parameters<NonNullable<Plugin['classState']>>[0]): State {
    const states = this.#parts.map(({ plugin }) => plugin.classState?.(pod));
    return { states, isSkipped: states.map(() => false), faults: states.map(() => undefined) };
  }

  preFilter({ states, isSkipped, faults }: State, pod: Parameters<NonNullable<Plugin['preFilter']>>[1]): undefined {
    this.#parts.forEach(({ plugin }, i) => {
      const result = plugin.preFilter?.(states[i], pod);
      isSkipped[i] = result?.skip === true;
      const fault = result?.status?.reasons.join(', ');
      if (fault !== undefined && fault !== unbound) throw new PluginError(fault, true);
      faults[i] = fault;
    });
    return undefined;
  }

  filter(state: State, node: NodeInfo): Status | undefined {
    const reasons: string[] = [];
    let first: Status | undefined;
    for (let i = 0; i < this.#parts.length; i++) {
      if (state.faults[i] !== undefined) this.#fail(state, i);
      if (state.isSkipped[i] === true) continue;
      const status = this.#parts[i]?.plugin.filter?.(state.states[i], node);
      if (status === undefined) continue;
      if (!this.#checksAll) return status;
      first ??= status;
      reasons.push(...status.reasons);
    }
    return first === undefined
      ? undefined
      : { code: isUnresolvable(reasons) ? 'UnschedulableAndUnresolvable' : 'Unschedulable', reasons, plugin: first.plugin };
  }

  /** One error for each node that gets so far, told together. */
  #fail(state: State, at: number): never {
    const passes = (node: NodeInfo): boolean =>
      this.#parts.slice(0, at).every(({ plugin }, i) => state.isSkipped[i] === true || plugin.filter?.(state.states[i], node) === undefined);
    const count = this.#handle.snapshot.nodes.filter(passes).length;
    throw new PluginError(count > 1 ? `${state.faults[at]} (repeated ${count} times)` : (state.faults[at] ?? ''), true);
  }

  substitute({ states, isSkipped }: State, node: NodeInfo): void {
    this.#parts.forEach(({ plugin }, i) => isSkipped[i] === true || plugin.substitute?.(states[i], node));
  }

  reserve(...[pod, node]: Parameters<NonNullable<Plugin['reserve']>>): Status | undefined {
    for (const { plugin } of this.#parts) {
      const status = plugin.reserve?.(pod, node);
      if (status !== undefined) return status;
    }
    return undefined;
  }

  unreserve(...[pod, node]: Parameters<NonNullable<Plugin['unreserve']>>): void {
    for (const { plugin } of this.#parts) plugin.unreserve?.(pod, node);
  }

  /** Only volumes have something to do before a binding. */
  get #volumes(): Plugin | undefined {
    return this.#parts.find(({ plugin }) => plugin.preBind !== undefined)?.plugin;
  }

  async preBind(...[pod, node]: Parameters<NonNullable<Plugin['preBind']>>): ReturnType<NonNullable<Plugin['preBind']>> {
    return this.#volumes?.preBind?.(pod, node);
  }

  isBindable(...[pod, node, waitsFor]: Parameters<NonNullable<Plugin['isBindable']>>): ReturnType<NonNullable<Plugin['isBindable']>> {
    return this.#volumes?.isBindable?.(pod, node, waitsFor) ?? { state: 'ready' };
  }
}
