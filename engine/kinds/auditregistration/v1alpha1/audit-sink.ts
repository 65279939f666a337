/** Where audit events go beside what options say, as releases 1.13 to 1.18 had it. Mirrors pkg/apis/auditregistration (defaults, validation). */
import type { AuditSink, AuditSinkSpec } from '../../../api/auditregistration/v1alpha1/types.gen.ts';
import { type FieldErrorList, invalid, notSupported, required } from '../../../apimachinery/field-errors.ts';
import { defineKind } from '../../../contracts/kind.ts';
import type { Faults } from '../../core/v1/resource-validation.ts';
import { edit, fill } from '../../shared/defaulting.ts';
import { specPath } from '../../shared/strategy.ts';
import { validateWebhookClient } from '../../shared/webhook-client.ts';

const levels = ['Metadata', 'None', 'Request', 'RequestResponse'];
const stages = ['Panic', 'RequestReceived', 'ResponseComplete', 'ResponseStarted'];

export const auditSinkKind = defineKind<AuditSink>({
  group: 'auditregistration.k8s.io',
  version: 'v1alpha1',
  kind: 'AuditSink',
  plural: 'auditsinks',
  singular: 'auditsink',
  namespaced: false,
  schema: 'io.k8s.api.auditregistration.v1alpha1.AuditSink',
  storagePrefix: 'auditsinks',
  hasGeneration: true,
  allowUnconditionalUpdate: false,
  defaults: (object) =>
    edit(object, 'spec', (spec) => edit({ ...spec, webhook: fill(spec.webhook ?? {}, { throttle: {} }) }, 'webhook', defaultWebhook)),
  validate: validateSink,
  validateUpdate: (next) => [...validateSink(next), ...validateSink(next)],
});

function defaultWebhook(webhook: AuditSinkSpec['webhook']): AuditSinkSpec['webhook'] {
  return { ...webhook, throttle: fill(webhook.throttle ?? {}, { qps: 10, burst: 15 }) };
}

function validateSink({ spec }: AuditSink): FieldErrorList {
  const out: Faults = policyFaults(spec?.policy);
  const { throttle, clientConfig: { service, ...client } = {} } = spec?.webhook ?? {};
  const at = specPath.child('webhook');
  for (const name of ['qps', 'burst'] as const) {
    const value = throttle?.[name];
    if (value !== undefined && value <= 0) out.push(invalid(at.child('throttle').child(name), value, `${name} must be a positive number`));
  }
  // Upstream mistakes one name of a service for the other.
  const turned = service && { ...service, name: service.namespace, namespace: service.name };
  validateWebhookClient({ ...client, ...(turned && { service: turned }) }, at.child('clientConfig'), out, true);
  return out;
}

/** Without stages nothing else is told. */
function policyFaults(policy: AuditSinkSpec['policy'] | undefined): Faults {
  const at = specPath.child('policy');
  const { level = '', stages: given } = policy ?? {};
  if (level !== 'None' && !given?.length) return [required(at.child('stages'))];
  const out: Faults = [];
  for (const [index, stage] of (given ?? []).entries())
    if (!stages.includes(stage)) out.push(invalid(at.child('stages').index(index), stage, `allowed stages are ${stages.join(',')}`));
  if (level === '') out.push(required(at.child('level')));
  else if (!levels.includes(level)) out.push(notSupported(at.child('level'), level, levels));
  return out;
}
