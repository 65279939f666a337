/** What annotations of pod security policies say of profiles. Mirrors ValidatePodSecurityPolicySpecificAnnotations of release 1.13. */
import { getOwn } from '../../../base/dictionary.ts';
import { root } from '../../../apimachinery/field-errors.ts';
import type { PodSecurityPolicy } from '../../../api/extensions/v1beta1/types.gen.ts';
import { validateAppArmorText, validateSeccompText } from '../../core/v1/pod-annotation-validation.ts';
import type { Faults } from '../../core/v1/resource-validation.ts';

export const seccompDefault = 'seccomp.security.alpha.kubernetes.io/defaultProfileName';
export const seccompAllowed = 'seccomp.security.alpha.kubernetes.io/allowedProfileNames';
export const appArmorDefault = 'apparmor.security.beta.kubernetes.io/defaultProfileName';
export const appArmorAllowed = 'apparmor.security.beta.kubernetes.io/allowedProfileNames';
const any = '*';

export function validatePolicyAnnotations(annotations: PodSecurityPolicy['metadata']['annotations'], out: Faults): void {
  if (annotations === undefined) return;
  const path = root('metadata', 'annotations');
  const textOf = (key: string): string => getOwn(annotations, key) ?? '';
  const listOf = (key: string): readonly string[] => (textOf(key) === '' ? [] : textOf(key).split(','));
  validateAppArmorText(textOf(appArmorDefault), path.key(appArmorDefault), out);
  for (const profile of listOf(appArmorAllowed)) validateAppArmorText(profile, path.key(appArmorAllowed), out, textOf(appArmorAllowed));
  if (textOf(seccompDefault) !== '') validateSeccompText(textOf(seccompDefault), path.key(seccompDefault), out);
  for (const profile of listOf(seccompAllowed)) if (profile !== any) validateSeccompText(profile, path.key(seccompAllowed), out);
}
