/** Webhooks that judge requests, before this was stable: failures are ignored unless they say otherwise. */
import type { ValidatingWebhookConfiguration } from '../../../api/admissionregistration/v1beta1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { olderForm } from '../../shared/older.ts';
import { validatingWebhookConfigurationKind as stored } from '../v1/validating-webhook-configuration.ts';
import { editEach } from '../../shared/defaulting.ts';
import { defaultValidatingWebhook } from './webhook-defaults.ts';

export const validatingWebhookConfigurationKind = defineKind<ValidatingWebhookConfiguration>(
  olderForm(stored, {
    group: 'admissionregistration.k8s.io',
    version: 'v1beta1',
    schema: 'io.k8s.api.admissionregistration.v1beta1.ValidatingWebhookConfiguration',
    deprecated: 16,
    removed: 22,
    defaults: (object) => editEach(object, 'webhooks', defaultValidatingWebhook),
  }),
);
