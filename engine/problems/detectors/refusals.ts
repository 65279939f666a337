/** Who refuses what a controller asks for, from the words of the refusal. */
import type { KubeObject } from '../../apimachinery/object.ts';
import type { Finding } from '../finding.ts';

export function rootOfRefusal({ metadata: { namespace = '' } }: KubeObject, message: string): Pick<Finding, 'root' | 'rootReason'> {
  const quota = /exceeded quota: ([^,]+),/.exec(message)?.[1];
  if (quota !== undefined) return { root: `resourcequotas/${namespace}/${quota}`, rootReason: 'QuotaHit' };
  const hook = /failed calling webhook "([^"]+)"/.exec(message)?.[1];
  return hook === undefined ? {} : { root: `webhooks/${hook}`, rootReason: 'WebhookFailing' };
}
