/** Webhooks that do not answer as they should when they are asked: a source of its own, for no object says so. */
import type { FailingWebhook } from '../../contracts/failing-webhook.ts';
import type { Finding } from '../finding.ts';

/** `isIgnored`: failurePolicy says that requests go on without its word. */
export function findFailing({ name, sinceMs, message }: FailingWebhook, isIgnored: boolean): Finding {
  const then = isIgnored ? 'what it should judge goes on without it' : 'what it should judge is refused';
  return {
    reason: 'WebhookFailing',
    sinceMs,
    summary: `webhook ${name} fails, and ${then}: ${message}`,
    next: { text: 'it is asked again with the next request that it should judge' },
  };
}
