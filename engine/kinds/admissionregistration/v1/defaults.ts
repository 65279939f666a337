/** Defaults of webhooks and admission policies. Mirrors pkg/apis/admissionregistration/v1/defaults.go. */
import type {
  MatchResources,
  MutatingWebhook,
  RuleWithOperations,
  ValidatingWebhook,
  WebhookClientConfig,
} from '../../../api/admissionregistration/v1/types.gen.ts';
import { edit, editEach, fill } from '../../shared/defaulting.ts';

const nothing = Object.freeze({});
const matchDefaults = Object.freeze({ matchPolicy: 'Equivalent', namespaceSelector: nothing, objectSelector: nothing });
const webhookDefaults = Object.freeze({ failurePolicy: 'Fail', ...matchDefaults, timeoutSeconds: 10 });
const mutatingDefaults = Object.freeze({ ...webhookDefaults, reinvocationPolicy: 'Never' });

export function defaultValidatingWebhook(webhook: ValidatingWebhook): ValidatingWebhook {
  return editEach(edit(fill(webhook, webhookDefaults), 'clientConfig', defaultClient), 'rules', defaultRule);
}

export function defaultMutatingWebhook(webhook: MutatingWebhook): MutatingWebhook {
  return editEach(edit(fill(webhook, mutatingDefaults), 'clientConfig', defaultClient), 'rules', defaultRule);
}

function defaultClient(config: WebhookClientConfig): WebhookClientConfig {
  return edit(config, 'service', (service) => (service.port === undefined ? { ...service, port: 443 } : service));
}

function defaultRule<R extends RuleWithOperations>(rule: R): R {
  return rule.scope !== undefined ? rule : { ...rule, scope: '*' };
}

export function defaultMatchResources(match: MatchResources): MatchResources {
  const filled = fill(match, matchDefaults);
  return editEach(editEach(filled, 'resourceRules', defaultRule), 'excludeResourceRules', defaultRule);
}
