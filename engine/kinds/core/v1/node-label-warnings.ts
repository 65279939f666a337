/** Labels of nodes that have other names by now. Mirrors pkg/api/node/util.go. */
import type { NodeSelectorTerm } from '../../../api/core/v1/types.gen.ts';
import type { FieldPath } from '../../../apimachinery/field-errors.ts';
import { isValidLabelValue } from '../../../apimachinery/validation.ts';
import type { WarningList } from './warning-list.ts';

const old: ReadonlyMap<string, string> = new Map([
  ['beta.kubernetes.io/arch', 'deprecated since v1.14; use "kubernetes.io/arch" instead'],
  ['beta.kubernetes.io/os', 'deprecated since v1.14; use "kubernetes.io/os" instead'],
  ['failure-domain.beta.kubernetes.io/region', 'deprecated since v1.17; use "topology.kubernetes.io/region" instead'],
  ['failure-domain.beta.kubernetes.io/zone', 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead'],
  ['beta.kubernetes.io/instance-type', 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead'],
  ['app.kubernetes.io/created-by', 'deprecated since v1.9'],
  ['scheduler.alpha.kubernetes.io/preferAvoidPods', 'deprecated since v1.22; use Taints and Tolerations instead'],
  ['node-role.kubernetes.io/master', 'use "node-role.kubernetes.io/control-plane" instead'],
]);

/** What is told of a label; undefined of most. */
export function deprecationOf(label: string): string | undefined {
  return old.get(label);
}

/** What is only preferred may ask for values that no label can have; that is told. */
export function warnOfTerm(term: NodeSelectorTerm, isPreferred: boolean, path: FieldPath, out: WarningList): void {
  for (const [index, { key = '', values = [] }] of (term.matchExpressions ?? []).entries()) {
    const at = path.child('matchExpressions').index(index);
    const text = deprecationOf(key);
    if (text !== undefined) out.add(`${at.child('key').toString()}: ${key} is ${text}`);
    if (!isPreferred) continue;
    for (const [place, value] of values.entries())
      for (const fault of isValidLabelValue(value)) out.add(`${at.child('values').index(place).toString()}: ${value} is invalid, ${fault}`);
  }
}
