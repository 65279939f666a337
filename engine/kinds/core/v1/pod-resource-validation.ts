/** Resources of a pod as a whole, beside those of its containers. Mirrors validatePodResources and validatePodResourceConsistency of pkg/apis/core/validation. */
import { getOwn } from '../../../base/dictionary.ts';
import type { Pod, PodSpec } from '../../../api/core/v1/types.gen.ts';
import { evenEmpty, type FieldPath, forbidden, invalid } from '../../../apimachinery/field-errors.ts';
import { compareQuantity, formatQuantity, newMilliQuantity, newQuantity, parseQuantity } from '../../../apimachinery/quantity.ts';
import { podLimits, podRequests, type ResourceAmounts } from '../../../component-helpers/resources.ts';
import { isHugePages } from '../../../component-helpers/resource-names.ts';
import { compareTexts, type Faults, validatePodResourceName, validateRequirements } from './resource-validation.ts';

export function validatePodResources(spec: PodSpec, claims: ReadonlySet<string>, path: FieldPath, out: Faults): void {
  const { resources } = spec;
  if (!resources) return;
  if (spec.os?.name === 'windows') return void out.push(forbidden(path, 'may not be set for a windows pod'));
  if (resources.claims !== undefined) out.push(evenEmpty(forbidden(path.child('claims'), 'claims may not be set for Resources at pod-level')));
  validateRequirements(resources, validatePodResourceName, claims, path, out);
  const pod: Pod = { kind: 'Pod', apiVersion: 'v1', metadata: {}, spec: { ...spec, resources: {}, overhead: {} } };
  compareSums(podRequests(pod), resources.requests, 'requests', path.child('requests'), out);
  const limits = Object.entries(podLimits(pod)).filter(([name]) => isHugePages(name));
  compareSums(Object.fromEntries(limits), resources.limits, 'limits', path.child('limits'), out);
  compareLimits(spec, path, out);
}

type List = { readonly [name: string]: string } | undefined;

function compareSums(sums: ResourceAmounts, list: List, what: string, path: FieldPath, out: Faults): void {
  for (const [name, amount] of Object.entries(sums)) {
    const given = getOwn(list, name);
    const sum = name === 'cpu' ? newMilliQuantity(amount) : newQuantity(amount, name === 'memory' ? 'BinarySI' : 'DecimalSI');
    if (given === undefined || compareQuantity(sum, parseQuantity(given)) <= 0) continue;
    out.push(invalid(path.key(name), given, `must be greater than or equal to aggregate container ${what} of ${formatQuantity(sum)}`));
  }
}

function compareLimits({ containers, resources }: PodSpec, path: FieldPath, out: Faults): void {
  for (const [index, container] of (containers ?? []).entries()) {
    for (const [name, limit] of Object.entries(container.resources?.limits ?? {})) {
      const most = getOwn(resources?.limits, name);
      // Upstream names a place that is not there.
      const at = path.child('containers').index(index).key(name).child('limits');
      if (most !== undefined && compareTexts(limit, most) > 0) out.push(invalid(at, limit, `must be less than or equal to pod limits of ${most}`));
    }
  }
}
