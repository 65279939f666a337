/** Configurations of webhooks. Mirrors pkg/apis/admissionregistration/validation. */
import type {
  MutatingWebhook,
  MutatingWebhookConfiguration,
  ValidatingWebhook,
  ValidatingWebhookConfiguration,
} from '../../../api/admissionregistration/v1/types.gen.ts';
import { duplicate, type FieldErrorList, type FieldPath, invalid, notSupported, required, root } from '../../../apimachinery/field-errors.ts';
import { validateFullyQualifiedName } from '../../../apimachinery/fully-qualified-name.ts';
import { isDNS1035Label, validateLabelSelector } from '../../../apimachinery/validation.ts';
import { repeatsOf } from '../../../base/repeats.ts';
import type { StrategyContext } from '../../../contracts/kind.ts';
import type { Faults } from '../../core/v1/resource-validation.ts';
import { validateWebhookClient } from '../../shared/webhook-client.ts';
import { matchPolicies, validateMatchConditions, validateRule } from './rule-validation.ts';

const failurePolicies = ['Fail', 'Ignore'];
const sideEffects = ['None', 'NoneOnDryRun'];
const formerSideEffects = ['None', 'NoneOnDryRun', 'Some', 'Unknown'];
const reinvocations = ['IfNeeded', 'Never'];
const reviewVersions = ['v1', 'v1beta1'];
const timeoutMax = 30;

export function validateWebhooks(
  { webhooks = [] }: ValidatingWebhookConfiguration | MutatingWebhookConfiguration,
  context: Pick<StrategyContext, 'ratcheted'>,
): FieldErrorList {
  const out: Faults = [];
  const isStrict = context.ratcheted('StrictWebhooks');
  const names = new Set<string>();
  for (const [index, webhook] of (webhooks ?? []).entries()) {
    const path = root('webhooks').index(index);
    validateWebhook(webhook, isStrict, path, out);
    if (!isStrict) continue;
    validateVersions(webhook.admissionReviewVersions ?? [], path.child('admissionReviewVersions'), out);
    if (webhook.name && names.has(webhook.name)) out.push(duplicate(path.child('name'), webhook.name));
    names.add(webhook.name);
  }
  return out;
}

function validateWebhook(webhook: ValidatingWebhook | MutatingWebhook, isStrict: boolean, path: FieldPath, out: Faults): void {
  const { failurePolicy, matchPolicy, sideEffects: effects, timeoutSeconds = 1 } = webhook;
  out.push(...validateFullyQualifiedName(webhook.name ?? '', path.child('name')));
  for (const [index, rule] of (webhook.rules ?? []).entries()) validateRule(rule, path.child('rules').index(index), out);
  supported(failurePolicy, failurePolicies, path.child('failurePolicy'), out);
  supported(matchPolicy, matchPolicies, path.child('matchPolicy'), out);
  if (typeof effects !== 'string') out.push(required(path.child('sideEffects'), `must specify one of ${sideEffects.join(', ')}`));
  supported(effects, isStrict ? sideEffects : formerSideEffects, path.child('sideEffects'), out);
  if (timeoutSeconds < 1 || timeoutSeconds > timeoutMax)
    out.push(invalid(path.child('timeoutSeconds'), timeoutSeconds, `the timeout value must be between 1 and ${timeoutMax} seconds`));
  out.push(...validateLabelSelector(webhook.namespaceSelector, path.child('namespaceSelector')));
  out.push(...validateLabelSelector(webhook.objectSelector, path.child('objectSelector')));
  if ('reinvocationPolicy' in webhook) supported(webhook.reinvocationPolicy, reinvocations, path.child('reinvocationPolicy'), out);
  validateWebhookClient(webhook.clientConfig ?? {}, path.child('clientConfig'), out);
  validateMatchConditions(webhook.matchConditions, path.child('matchConditions'), out, { params: false, authorizer: true });
}

function supported(value: string | null | undefined, values: readonly string[], path: FieldPath, out: Faults): void {
  if (typeof value === 'string' && !values.includes(value)) out.push(notSupported(path, value, values));
}

function validateVersions(versions: readonly string[], path: FieldPath, out: Faults): void {
  if (versions.length === 0) return void out.push(required(path, `must specify one of ${reviewVersions.join(', ')}`));
  const repeats = repeatsOf(versions);
  for (const [index, version] of versions.entries()) {
    if (repeats.has(index)) out.push(invalid(path.index(index), version, 'duplicate version'));
    else for (const fault of isDNS1035Label(version)) out.push(invalid(path.index(index), version, fault));
  }
  if (!versions.some((version) => reviewVersions.includes(version)))
    out.push(invalid(path, versions, `must include at least one of ${reviewVersions.join(', ')}`));
}
