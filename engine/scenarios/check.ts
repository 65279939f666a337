/** Whether a statement about the cluster holds, from the caches of informers. */
import type { ObjectSelector, ScenarioExpectation } from '../api/sim/v1alpha1/scenario.ts';
import { parseSelector } from '../apimachinery/labels.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import { parsePath, valuesAt } from '../component-helpers/object-path.ts';

type Condition = NonNullable<ScenarioExpectation['where']>[number];

export interface Verdict {
  readonly holds: boolean;
  /** How many objects were found, and how many of them satisfy the conditions. */
  readonly found: number;
  readonly satisfied: number;
}

export function checkExpectation(expectation: ScenarioExpectation, objects: readonly KubeObject[]): Verdict {
  const selected = objects.filter(selecting(expectation.object));
  const conditions = (expectation.where ?? []).map(compile);
  const satisfied = selected.filter((object) => conditions.every((holds) => holds(object))).length;
  const { equals, atLeast, atMost } = expectation.count ?? { atLeast: 1 };
  const holds =
    (equals === undefined || satisfied === equals) &&
    (atLeast === undefined || satisfied >= atLeast) &&
    (atMost === undefined || satisfied <= atMost);
  return { holds, found: selected.length, satisfied };
}

/** `3 of 12 Pods`, for messages. */
export function verdictWords({ found, satisfied }: Verdict, { object, where }: ScenarioExpectation): string {
  const what = `${object.kind}${object.name === undefined ? 's' : ` ${object.name}`}`;
  return where === undefined ? `${found} ${what} found` : `${satisfied} of ${found} ${what} as expected`;
}

export function selecting({ namespace, name, labelSelector }: ObjectSelector): (object: KubeObject) => boolean {
  const selector = labelSelector === undefined ? undefined : parseSelector(labelSelector);
  return ({ metadata }) =>
    (name === undefined || metadata.name === name) &&
    (namespace === undefined || metadata.namespace === namespace) &&
    (selector === undefined || selector.matches(metadata.labels ?? {}));
}

function compile({ path, equals, exists, atLeast, atMost }: Condition): (object: KubeObject) => boolean {
  const { parts } = parsePath(path);
  return (object) => {
    const values = valuesAt(object, parts);
    if (exists !== undefined && values.length > 0 !== exists) return false;
    if (equals !== undefined && !values.some((value) => value === equals)) return false;
    if (atLeast !== undefined && !values.some((value) => Number(value) >= atLeast)) return false;
    return atMost === undefined || values.some((value) => Number(value) <= atMost);
  };
}
