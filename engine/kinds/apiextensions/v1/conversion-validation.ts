/** How objects of one version become those of another. Mirrors validateCustomResourceConversion of apiextensions-apiserver. */
import type { CustomResourceConversion } from '../../../api/apiextensions/v1/types.gen.ts';
import { type FieldPath, forbidden, invalid, notSupported, required } from '../../../apimachinery/field-errors.ts';
import { isDNS1035Label } from '../../../apimachinery/validation.ts';
import { repeatsOf } from '../../../base/repeats.ts';
import { caBundleFault } from '../../../component-helpers/ca-bundle.ts';
import type { CertificateJudge } from '../../../contracts/certificates.ts';
import type { Faults } from '../../core/v1/resource-validation.ts';
import { validateWebhookClient, type WebhookClient } from '../../shared/webhook-client.ts';

const known = ['v1', 'v1beta1'];

const notAllowed = ', but not allowed because the CustomResourceWebhookConversion feature is disabled';

export interface ConversionContext {
  /** Looks at authorities, where they are looked at. */
  readonly bundleJudge: CertificateJudge | undefined;
  /** Webhooks may convert. */
  readonly withWebhooks: boolean;
}

/** `old` is what is stored: what it did not know need not be known now. */
export function validateConversion(
  { strategy, webhook }: CustomResourceConversion,
  old: CustomResourceConversion | undefined,
  { bundleJudge: judge, withWebhooks }: ConversionContext,
  path: FieldPath,
  out: Faults,
): void {
  if (!strategy) out.push(required(path.child('strategy')));
  else if (strategy !== 'None' && strategy !== 'Webhook') out.push(notSupported(path.child('strategy'), strategy, ['None', 'Webhook']));
  const client = path.child('webhookClientConfig');
  const reviews = path.child('conversionReviewVersions');
  if (strategy !== 'Webhook') {
    const why = 'should not be set when strategy is not set to Webhook';
    if (webhook?.clientConfig) out.push(forbidden(client, why));
    if (webhook?.conversionReviewVersions?.length) out.push(forbidden(reviews, why));
    return;
  }
  if (!webhook?.clientConfig) out.push(required(client, `required when strategy is set to Webhook${withWebhooks ? '' : notAllowed}`));
  else {
    validateWebhookClient(webhook.clientConfig as WebhookClient, client, out);
    const { caBundle } = webhook.clientConfig;
    const fault = caBundleFault(old?.webhook?.clientConfig?.caBundle, judge) === undefined ? caBundleFault(caBundle, judge) : undefined;
    if (fault !== undefined) out.push(invalid(client.child('caBundle'), caBundle, fault));
  }
  const before = old?.webhook?.conversionReviewVersions ?? [];
  const mayBeStrange = before.length > 0 && !before.some((version) => known.includes(version));
  validateReviews(webhook?.conversionReviewVersions ?? [], mayBeStrange, reviews, out);
}

function validateReviews(versions: readonly string[], mayBeStrange: boolean, path: FieldPath, out: Faults): void {
  if (versions.length === 0) return void out.push(required(path));
  const repeats = repeatsOf(versions);
  for (const [index, version] of versions.entries()) {
    if (repeats.has(index)) {
      out.push(invalid(path.index(index), version, 'duplicate version'));
      continue;
    }
    for (const fault of isDNS1035Label(version)) out.push(invalid(path.index(index), version, fault));
  }
  if (!mayBeStrange && !versions.some((version) => known.includes(version)))
    out.push(invalid(path, versions, `must include at least one of ${known.join(', ')}`));
}
