/** Webhooks that change requests, before this was stable: failures are ignored unless they say otherwise. */
import type { MutatingWebhookConfiguration } from '../../../api/admissionregistration/v1beta1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { olderForm } from '../../shared/older.ts';
import { mutatingWebhookConfigurationKind as stored } from '../v1/mutating-webhook-configuration.ts';
import { editEach } from '../../shared/defaulting.ts';
import { defaultMutatingWebhook } from './webhook-defaults.ts';

export const mutatingWebhookConfigurationKind = defineKind<MutatingWebhookConfiguration>(
  olderForm(stored, {
    group: 'admissionregistration.k8s.io',
    version: 'v1beta1',
    schema: 'io.k8s.api.admissionregistration.v1beta1.MutatingWebhookConfiguration',
    deprecated: 16,
    removed: 22,
    defaults: (object) => editEach(object, 'webhooks', defaultMutatingWebhook),
  }),
);
