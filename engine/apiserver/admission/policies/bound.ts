/** Policies with the bindings that ask for them. Mirrors apiserver pkg/admission/plugin/policy/generic/composite_policy_source.go. */
import type { KubeObject } from '../../../apimachinery/object.ts';
import { Layers, MadeOf, type Placed, type WatchedObjects } from '../hooks/sources.ts';

export interface PolicyObjects {
  readonly policies: WatchedObjects;
  readonly bindings: WatchedObjects;
}

export interface BoundPolicy<P, B> {
  readonly policy: P;
  /** At least one. */
  readonly bindings: readonly B[];
}

type Binding = KubeObject & { readonly spec?: { readonly policyName?: string } };

/** Those on disk and those of the API; neither binds what is of the other. `compile` is called once for a policy as it is. */
export function layeredPolicies<P, B extends Binding>(objects: Placed<PolicyObjects>, compile: (policy: KubeObject) => P): Layers<BoundPolicy<P, B>> {
  return new Layers({ onDisk: new Bound<P, B>(objects.onDisk, compile), api: new Bound<P, B>(objects.api, compile) });
}

class Bound<P, B extends Binding> {
  readonly #policies: MadeOf<{ readonly name: string; readonly policy: P }>;
  readonly #bindings: MadeOf<B>;
  #from: readonly unknown[] = [];
  #made: readonly BoundPolicy<P, B>[] = [];

  constructor({ policies, bindings }: PolicyObjects, compile: (policy: KubeObject) => P) {
    this.#policies = new MadeOf(policies, (object) => ({ name: object.metadata.name ?? '', policy: compile(object) }));
    this.#bindings = new MadeOf(bindings, (object) => object as B);
  }

  list(): readonly BoundPolicy<P, B>[] {
    const from = [this.#policies.list(), this.#bindings.list()] as const;
    if (from[0] === this.#from[0] && from[1] === this.#from[1]) return this.#made;
    const byPolicy = Map.groupBy(from[1], ({ spec }) => spec?.policyName ?? '');
    this.#from = from;
    this.#made = from[0].flatMap(({ name, policy }) => {
      const bindings = byPolicy.get(name);
      return bindings === undefined ? [] : [{ policy, bindings }];
    });
    return this.#made;
  }
}
