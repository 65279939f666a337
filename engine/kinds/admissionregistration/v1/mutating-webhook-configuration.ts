/** Webhooks that change requests. */
import type { MutatingWebhookConfiguration } from '../../../api/admissionregistration/v1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { freeOfStaticNames } from './static-names.ts';
import { ageOf, nameOf } from '../../shared/table.ts';
import { webhookColumns } from './policy-columns.ts';
import { defaultMutatingWebhook } from './defaults.ts';
import { editEach } from '../../shared/defaulting.ts';
import { validateWebhooks } from './webhook-validation.ts';

export const mutatingWebhookConfigurationKind = defineKind<MutatingWebhookConfiguration>({
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kind: 'MutatingWebhookConfiguration',
  metaChecks: { create: 'm', update: 'm' },
  plural: 'mutatingwebhookconfigurations',
  singular: 'mutatingwebhookconfiguration',
  categories: ['api-extensions'],
  namespaced: false,
  schema: 'io.k8s.api.admissionregistration.v1.MutatingWebhookConfiguration',
  storagePrefix: 'mutatingwebhookconfigurations',
  desiredCountsEmpties: true,
  emptyBytes: [['webhooks', 'clientConfig', 'caBundle']],
  ...freeOfStaticNames(validateWebhooks),
  validateUpdate: (next, _old, context) => validateWebhooks(next, context),
  hasGeneration: true,
  allowUnconditionalUpdate: false,
  defaults: (object) => editEach(object, 'webhooks', defaultMutatingWebhook),
  columns: webhookColumns,
  row: (object, context) => [nameOf(object), object.webhooks?.length ?? 0, ageOf(object, context)],
});
