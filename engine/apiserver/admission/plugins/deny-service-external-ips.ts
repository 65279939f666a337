/** Services get no new external addresses. Mirrors plugin/pkg/admission/network/denyserviceexternalips. */
import type { Service } from '../../../api/core/v1/types.gen.ts';
import { defineAdmissionPlugin } from '../plugin.ts';
import { refuse } from '../refusal.ts';

export const denyServiceExternalIPs = defineAdmissionPlugin({
  name: 'DenyServiceExternalIPs',
  verbs: ['CREATE', 'UPDATE'],
  resources: ['services'],
  validate(attributes) {
    const known = new Set((attributes.oldObject as Service | undefined)?.spec?.externalIPs);
    const wanted = (attributes.object as Service).spec?.externalIPs ?? [];
    if (wanted.some((address) => !known.has(address))) refuse(attributes, 'Use of external IPs is denied by admission control');
  },
});
