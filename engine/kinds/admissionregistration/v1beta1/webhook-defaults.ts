/** Defaults of webhooks before they were stable. Mirrors pkg/apis/admissionregistration/v1beta1/defaults.go. */
import type { MutatingWebhook, ValidatingWebhook } from '../../../api/admissionregistration/v1beta1/types.gen.ts';
import { fill } from '../../shared/defaulting.ts';

const webhookDefaults = Object.freeze({
  failurePolicy: 'Ignore',
  matchPolicy: 'Exact',
  sideEffects: 'Unknown',
  timeoutSeconds: 30,
  admissionReviewVersions: ['v1beta1'],
});

/** What both versions fill alike is the stored version's affair. */
export function defaultValidatingWebhook(webhook: ValidatingWebhook): ValidatingWebhook {
  return fill(webhook, webhookDefaults);
}

export function defaultMutatingWebhook(webhook: MutatingWebhook): MutatingWebhook {
  return fill(webhook, webhookDefaults);
}
