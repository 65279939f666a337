/** Nodes. Mirrors ValidateNode and ValidateNodeUpdate of pkg/apis/core/validation. */
import type { Node, Taint } from '../../../api/core/v1/types.gen.ts';
import {
  duplicate,
  type FieldErrorList,
  type FieldPath,
  forbidden,
  internal,
  invalid,
  notSupportedOf,
  required,
  root,
} from '../../../apimachinery/field-errors.ts';
import { goQuote } from '../../../apimachinery/quote.ts';
import { isValidCIDRForLegacyField, parseCIDR } from '../../../apimachinery/ip.ts';
import { isValidLabelValue, validateLabelName } from '../../../apimachinery/validation.ts';
import type { StrategyContext } from '../../../contracts/kind.ts';
import { specPath } from '../../shared/strategy.ts';
import { validateNodeAnnotations } from './node-annotation-validation.ts';
import { validateConfigSources } from './node-config-source.ts';
import { type Faults, validateQuantityValue } from './resource-validation.ts';

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];
/** Upstream says it so. */
const taintsPath = root('metadata', 'taints');
const podCidrsPath = specPath.child('podCIDRs');
const statusPath = root('status');

export function validateNode(node: Node, context: Pick<StrategyContext, 'featureEnabled'>): FieldErrorList {
  const out: Faults = [];
  validateNodeAnnotations(node.metadata.annotations, out);
  validateTaints(node.spec?.taints ?? [], taintsPath, out);
  validateResources(node, out);
  const swap = node.status?.nodeInfo?.swap?.capacity;
  if (swap !== undefined && swap <= 0) out.push(invalid(root('metadata', 'nodeSwapStatus', 'capacity'), swap, 'must be greater than zero'));
  validateDeclaredFeatures(node.status?.declaredFeatures ?? [], out);
  validatePodCidrs(podCidrsOf(node), context.featureEnabled('StrictIPCIDRValidation'), out);
  return out;
}

/** Of the object and of its status. */
export function validateNodeUpdate(next: Node, old: Node, context: Pick<StrategyContext, 'featureEnabled'>): FieldErrorList {
  const out: Faults = [];
  validateNodeAnnotations(next.metadata.annotations, out);
  validateResources(next, out);
  validateDeclaredFeatures(next.status?.declaredFeatures ?? [], out);
  const seen = new Set<string>();
  for (const [index, { type = '', address = '' }] of (next.status?.addresses ?? []).entries()) {
    const key = `${type} ${address}`;
    if (seen.has(key)) out.push(duplicate(statusPath.child('addresses').index(index), { Type: type, Address: address }));
    seen.add(key);
  }
  const [after, before] = [podCidrsOf(next), podCidrsOf(old)];
  const fixed = forbidden(podCidrsPath, 'node updates may not change podCIDR except from "" to valid');
  if (before.length > 0 && before.length !== after.length) out.push(fixed);
  else for (const [index, cidr] of before.entries()) if (cidr !== after[index]) out.push(fixed);
  if (old.spec?.providerID && old.spec.providerID !== next.spec?.providerID)
    out.push(forbidden(specPath.child('providerID'), 'node updates may not change providerID except from "" to valid'));
  if (context.featureEnabled('DynamicKubeletConfig')) validateConfigSources(next, out);
  validateTaints(next.spec?.taints ?? [], taintsPath, out);
  if ((next.spec?.externalID ?? '') !== (old.spec?.externalID ?? '')) out.push(forbidden(specPath.child('externalID'), 'may not be updated'));
  return out;
}

/** The older field goes first. */
function podCidrsOf({ spec }: Node): readonly string[] {
  const { podCIDR, podCIDRs = [] } = spec ?? {};
  return podCIDR && podCIDRs[0] !== podCIDR ? [podCIDR] : podCIDRs;
}

const declaredFeature = /^[A-Z][a-zA-Z0-9]*(\/[a-zA-Z][a-zA-Z0-9]*)*$/;
const longestFeature = 253;
const featureText =
  "must start with an UpperCamelCase segment, with subsequent segments separated by '/' (e.g., MyFeature or MyFeature/mySubFeature), and contain only alphanumeric characters and slashes";

/** Sorted, each once. */
function validateDeclaredFeatures(features: readonly string[], out: Faults): void {
  const path = statusPath.child('declaredFeatures');
  for (const [index, feature] of features.entries()) {
    const fault =
      feature.length > longestFeature ? `must be no more than ${longestFeature} characters` : declaredFeature.test(feature) ? '' : featureText;
    if (fault !== '') out.push(invalid(path.index(index), feature, `invalid feature name ${goQuote(feature)}: ${fault}`));
    const next = features[index + 1];
    if (next === undefined) continue;
    if (feature === next) out.push(duplicate(path.index(index + 1), next));
    else if (feature > next) out.push(invalid(path.index(index + 1), next, 'list must be sorted alphabetically'));
  }
}

function validateTaints(taints: readonly Taint[], path: FieldPath, out: Faults): void {
  const seen = new Set<string>();
  for (const [index, { key = '', value = '', effect = '', timeAdded = null }] of taints.entries()) {
    const at = path.index(index);
    out.push(...validateLabelName(key, at.child('key')));
    const faults = isValidLabelValue(value);
    if (faults.length > 0) out.push(invalid(at.child('value'), value, faults.join(';')));
    if (effect === '') out.push(required(at.child('effect')));
    else if (!effects.includes(effect)) out.push(notSupportedOf(at.child('effect'), effect, effects));
    const pair = `${effect} ${key}`;
    if (seen.has(pair)) {
      const printed = { Key: key, Value: value, Effect: effect, TimeAdded: timeAdded };
      out.push({ ...duplicate(at, printed), detail: 'taints must be unique by key and effect pair' });
    }
    seen.add(pair);
  }
}

function validateResources({ status }: Node, out: Faults): void {
  for (const list of ['capacity', 'allocatable'] as const) {
    for (const [name, quantity] of Object.entries(status?.[list] ?? {})) validateQuantityValue(name, quantity, statusPath.child(list, name), out);
  }
}

function validatePodCidrs(cidrs: readonly string[], strict: boolean, out: Faults): void {
  for (const [index, cidr] of cidrs.entries()) out.push(...isValidCIDRForLegacyField(podCidrsPath.index(index), cidr, strict));
  if (cidrs.length < 2) return;
  const parsed = cidrs.map(parseCIDR);
  const bad = parsed.indexOf(undefined);
  if (bad >= 0) {
    const detail = `invalid CIDR[${bad}]: <nil> (invalid CIDR address: ${cidrs[bad]})`;
    out.push(internal(podCidrsPath, `invalid PodCIDRs. failed to check with dual stack with error:${detail}`));
  }
  const families = new Set(parsed.map((one) => one?.ip.family));
  if (bad >= 0 || families.size < 2 || cidrs.length > 2)
    out.push(invalid(podCidrsPath, cidrs, 'may specify no more than one CIDR for each IP family'));
}
