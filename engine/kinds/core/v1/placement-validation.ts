/** Where pods may go: affinity, tolerations, spread constraints. Mirrors validateAffinity and its neighbours of pkg/apis/core/validation. */
import type { StrategyContext } from '../../../contracts/kind.ts';
import { goQuote } from '../../../apimachinery/quote.ts';
import type { LabelSelector } from '../../../apimachinery/labels.ts';
import type {
  Affinity,
  NodeSelector,
  NodeSelectorRequirement,
  NodeSelectorTerm,
  PodAffinityTerm,
  Toleration,
  TopologySpreadConstraint,
} from '../../../api/core/v1/types.gen.ts';
import { duplicate, type FieldPath, forbidden, invalid, notSupported, required, notSupportedOf } from '../../../apimachinery/field-errors.ts';
import { isDNS1123Label, isDNS1123Subdomain, isValidLabelValue, validateLabelName, validateLabelSelector } from '../../../apimachinery/validation.ts';
import type { Faults } from './resource-validation.ts';

const requiredTerms = 'requiredDuringSchedulingIgnoredDuringExecution';
const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';
const operatorText = 'not a valid selector operator';

const noTerm: PodAffinityTerm = Object.freeze({ topologyKey: '' });

export function validateAffinity(affinity: Affinity, path: FieldPath, out: Faults): void {
  const node = affinity.nodeAffinity;
  if (node?.[requiredTerms]) validateNodeSelector(node[requiredTerms], path.child('nodeAffinity').child(requiredTerms), out);
  for (const [index, { weight = 0, preference }] of (node?.[preferred] ?? []).entries()) {
    const at = path.child('nodeAffinity').child(preferred).index(index);
    if (weight <= 0 || weight > 100) out.push(invalid(at.child('weight'), weight, 'must be in the range 1-100'));
    validateNodeTerm(preference ?? {}, at.child('preference'), true, out);
  }
  for (const side of ['podAffinity', 'podAntiAffinity'] as const) {
    for (const [index, term] of (affinity[side]?.[requiredTerms] ?? []).entries())
      validatePodTerm(term, path.child(side).child(requiredTerms).index(index), out);
    for (const [index, weighted] of (affinity[side]?.[preferred] ?? []).entries()) {
      const at = path.child(side).child(preferred).index(index);
      const { weight = 0, podAffinityTerm = noTerm } = weighted;
      if (weight <= 0 || weight > 100) out.push(invalid(at.child('weight'), weight, 'must be in the range 1-100'));
      validatePodTerm(podAffinityTerm, at.child('podAffinityTerm'), out);
    }
  }
}

export function validateNodeSelector(selector: NodeSelector, path: FieldPath, out: Faults): void {
  const terms = selector.nodeSelectorTerms ?? [];
  if (terms.length === 0) return void out.push(required(path.child('nodeSelectorTerms'), 'must have at least one node selector term'));
  for (const [index, term] of terms.entries()) validateNodeTerm(term, path.child('nodeSelectorTerms').index(index), false, out);
}

function validateNodeTerm(term: NodeSelectorTerm, path: FieldPath, isLax: boolean, out: Faults): void {
  for (const [index, requirement] of (term.matchExpressions ?? []).entries())
    validateExpression(requirement, path.child('matchExpressions').index(index), isLax, out);
  for (const [index, requirement] of (term.matchFields ?? []).entries()) validateField(requirement, path.child('matchFields').index(index), out);
}

/** What is only preferred may ask for values that no label can have. */
function validateExpression(requirement: NodeSelectorRequirement, path: FieldPath, isLax: boolean, out: Faults): void {
  const values = requirement.values ?? [];
  switch (requirement.operator) {
    case 'In':
    case 'NotIn':
      if (values.length === 0) out.push(required(path.child('values'), "must be specified when `operator` is 'In' or 'NotIn'"));
      break;
    case 'Exists':
    case 'DoesNotExist':
      if (values.length > 0) out.push(forbidden(path.child('values'), "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"));
      break;
    case 'Gt':
    case 'Lt':
      if (values.length !== 1) out.push(required(path.child('values'), "must be specified single value when `operator` is 'Lt' or 'Gt'"));
      break;
    default:
      out.push(invalid(path.child('operator'), requirement.operator ?? '', operatorText));
  }
  out.push(...validateLabelName(requirement.key ?? '', path.child('key')));
  if (isLax) return;
  for (const [index, value] of values.entries())
    for (const fault of isValidLabelValue(value)) out.push(invalid(path.child('values').index(index), value, fault));
}

function validateField(requirement: NodeSelectorRequirement, path: FieldPath, out: Faults): void {
  const values = requirement.values ?? [];
  if (requirement.operator === 'In' || requirement.operator === 'NotIn') {
    if (values.length !== 1)
      out.push(required(path.child('values'), "must be only one value when `operator` is 'In' or 'NotIn' for node field selector"));
  } else out.push(invalid(path.child('operator'), requirement.operator ?? '', operatorText));
  if (requirement.key !== 'metadata.name') out.push(invalid(path.child('key'), requirement.key ?? '', 'not a valid field selector key'));
  else
    for (const [index, value] of values.entries())
      for (const fault of isDNS1123Subdomain(value)) out.push(invalid(path.child('values').index(index), value, fault));
}

function validatePodTerm(term: PodAffinityTerm, path: FieldPath, out: Faults): void {
  out.push(...validateLabelSelector(term.labelSelector, path.child('labelSelector')));
  out.push(...validateLabelSelector(term.namespaceSelector, path.child('namespaceSelector')));
  for (const name of term.namespaces ?? []) for (const fault of isDNS1123Label(name)) out.push(invalid(path.child('namespace'), name, fault));
  validateKeys(term.matchLabelKeys, term.mismatchLabelKeys, term.labelSelector, path, out);
  if (!term.topologyKey) out.push(required(path.child('topologyKey'), 'can not be empty'));
  out.push(...validateLabelName(term.topologyKey ?? '', path.child('topologyKey')));
}

/** Keys whose values are the pod's own become part of the selector; so there must be one, and they not in it already. */
function validateKeys(
  match: readonly string[] = [],
  mismatch: readonly string[] = [],
  selector: LabelSelector | undefined,
  path: FieldPath,
  out: Faults,
): void {
  validateKeyList(match, selector, path.child('matchLabelKeys'), out);
  validateKeyList(mismatch, selector, path.child('mismatchLabelKeys'), out);
  const seen = new Set(Object.keys(selector?.matchLabels ?? {}));
  const places = new Map(match.map((key, index) => [key, index]));
  for (const { key } of selector?.matchExpressions ?? []) {
    const place = places.get(key);
    // Upstream puts the place behind the term, and not behind the list.
    if (place !== undefined && seen.has(key)) out.push(invalid(path.index(place), key, 'exists in both matchLabelKeys and labelSelector'));
    seen.add(key);
  }
  const others = new Set(mismatch);
  for (const [index, key] of match.entries())
    if (others.has(key)) out.push(invalid(path.child('matchLabelKeys').index(index), key, 'exists in both matchLabelKeys and mismatchLabelKeys'));
}

function validateKeyList(keys: readonly string[], selector: LabelSelector | undefined, path: FieldPath, out: Faults): void {
  if (keys.length === 0) return;
  if (selector === undefined) return void out.push(forbidden(path, 'must not be specified when labelSelector is not set'));
  for (const [index, key] of keys.entries()) out.push(...validateLabelName(key, path.index(index)));
}

const effects = ['NoExecute', 'NoSchedule', 'PreferNoSchedule'];

export function validateTolerations(tolerations: readonly Toleration[], comparison: boolean, path: FieldPath, out: Faults): void {
  for (let index = 0; index < tolerations.length; index++) {
    const toleration = tolerations[index] as Toleration;
    const { key = '', operator = '', value = '', effect = '', tolerationSeconds } = toleration;
    const at = path.index(index);
    if (key !== '') out.push(...validateLabelName(key, at.child('key')));
    else if (operator !== 'Exists')
      out.push(invalid(at.child('operator'), operator, 'operator must be Exists when `key` is empty, which means "match all values and all keys"'));
    if (tolerationSeconds !== undefined && effect !== 'NoExecute')
      out.push(invalid(at.child('effect'), effect, "effect must be 'NoExecute' when `tolerationSeconds` is set"));
    validateOperator(operator, value, comparison, at, out);
    if (effect !== '' && !effects.includes(effect))
      out.push(notSupportedOf(at.child('effect'), effect, ['NoSchedule', 'PreferNoSchedule', 'NoExecute']));
  }
}

function validateOperator(operator: string, value: string, comparison: boolean, path: FieldPath, out: Faults): void {
  const at = path.child('operator');
  switch (operator) {
    case '':
    case 'Equal': {
      const faults = isValidLabelValue(value);
      if (faults.length > 0) out.push(invalid(at, value, faults.join(';')));
      return;
    }
    case 'Exists':
      if (value !== '') out.push(invalid(at, value, "value must be empty when `operator` is 'Exists'"));
      return;
    case 'Lt':
    case 'Gt':
      if (!comparison) out.push(notSupportedOf(at, operator, ['Equal', 'Exists', 'Lt', 'Gt']));
      else validateCompared(value, path.child('value'), out);
      return;
    default:
      out.push(notSupportedOf(at, operator, ['Equal', 'Exists']));
  }
}

/** An int64, written as a person would; as upstream it is read twice. */
function validateCompared(value: string, path: FieldPath, out: Faults): void {
  if (value === '') out.push(invalid(path, value, 'must be non-empty'));
  else if (!/^(0|-?[1-9][0-9]*)$/.test(value)) out.push(invalid(path, value, 'must be a valid decimal integer in canonical form'));
  const failed = `strconv.ParseInt: parsing ${goQuote(value)}:`;
  if (!/^[+-]?[0-9]+$/.test(value)) out.push(invalid(path, value, `${failed} invalid syntax`));
  else if (!isInt64(value)) out.push(invalid(path, value, `${failed} value out of range`));
}

/** Long texts of digits are not turned into numbers. */
function isInt64(digits: string): boolean {
  const short = digits.replace(/^([+-]?)0+(?=\d)/, '$1');
  return short.length <= 20 && BigInt.asIntN(64, BigInt(short.replace('+', ''))) === BigInt(short.replace('+', ''));
}

const unsatisfiable = ['DoNotSchedule', 'ScheduleAnyway'];
const inclusions = ['Honor', 'Ignore'];

/** Whether keys of labels become part of the selector where pods come in. */
export function mergesKeys(gates: Pick<StrategyContext, 'featureEnabled'>): boolean {
  return gates.featureEnabled('MatchLabelKeysInPodTopologySpread') && gates.featureEnabled('MatchLabelKeysInPodTopologySpreadSelectorMerge');
}

/** Keys whose values are the pod's own; where they become part of the selector they may stand in it, once. */
export function validateSpreadKeys(
  { matchLabelKeys, labelSelector }: TopologySpreadConstraint,
  isMerged: boolean,
  path: FieldPath,
  out: Faults,
): void {
  if (isMerged) return validateKeys(matchLabelKeys, undefined, labelSelector, path, out);
  const at = path.child('matchLabelKeys');
  const said = new Set([...Object.keys(labelSelector?.matchLabels ?? {}), ...(labelSelector?.matchExpressions ?? []).map(({ key }) => key)]);
  if (matchLabelKeys?.length && !labelSelector) out.push(forbidden(at, 'must not be specified when labelSelector is not set'));
  for (const [index, key] of (matchLabelKeys ?? []).entries()) {
    out.push(...validateLabelName(key, at.index(index)));
    if (said.has(key)) out.push(invalid(at.index(index), key, 'exists in both matchLabelKeys and labelSelector'));
  }
}

export function validateSpread(constraints: readonly TopologySpreadConstraint[], isMerged: boolean, path: FieldPath, out: Faults): void {
  const kinds = constraints.map((constraint) => `${constraint.topologyKey ?? ''}\0${constraint.whenUnsatisfiable ?? ''}`);
  const lastOf = new Map(kinds.map((kind, index) => [kind, index]));
  for (const [index, constraint] of constraints.entries()) {
    const at = path.index(index);
    const { maxSkew = 0 } = constraint;
    if (maxSkew <= 0) out.push(invalid(at.child('maxSkew'), maxSkew, 'must be greater than zero'));
    if (!constraint.topologyKey) out.push(required(at.child('topologyKey'), 'can not be empty'));
    if (!unsatisfiable.includes(constraint.whenUnsatisfiable ?? ''))
      out.push(notSupported(at.child('whenUnsatisfiable'), constraint.whenUnsatisfiable ?? '', unsatisfiable));
    const kind = kinds[index] ?? '';
    if (lastOf.get(kind) !== index)
      out.push(duplicate(at.child('{topologyKey, whenUnsatisfiable}'), `{${constraint.topologyKey ?? ''}, ${constraint.whenUnsatisfiable ?? ''}}`));
    validateMinDomains(constraint, at.child('minDomains'), out);
    for (const name of ['nodeAffinityPolicy', 'nodeTaintsPolicy'] as const) {
      const policy = constraint[name];
      if (policy !== undefined && !inclusions.includes(policy)) out.push(notSupported(at.child(name), policy, inclusions));
    }
    validateSpreadKeys(constraint, isMerged, at, out);
    out.push(...validateLabelSelector(constraint.labelSelector, at.child('labelSelector')));
  }
}

function validateMinDomains(constraint: TopologySpreadConstraint, path: FieldPath, out: Faults): void {
  const count = constraint.minDomains;
  if (count === undefined) return;
  if (count <= 0) out.push(invalid(path, count, 'must be greater than zero'));
  if (constraint.whenUnsatisfiable !== 'DoNotSchedule') {
    out.push(invalid(path, count, `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${constraint.whenUnsatisfiable ?? ''}`));
  }
}
