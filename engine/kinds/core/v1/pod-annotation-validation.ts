/**
 * What annotations of pods and templates may say, and that they say what the fields say. Mirrors ValidatePodSpecificAnnotations,
 * validateSeccompAnnotationsAndFields and validateAppArmorAnnotationsAndFieldsMatchOnCreate of pkg/apis/core/validation.
 */
import { mirrorAnnotation } from '../../../component-helpers/pod.ts';
import type { StrategyContext } from '../../../contracts/kind.ts';
import { getOwn } from '../../../base/dictionary.ts';
import { goQuote } from '../../../apimachinery/quote.ts';
import type { AppArmorProfile, Pod, PodSpec, SeccompProfile, Toleration } from '../../../api/core/v1/types.gen.ts';
import { type FieldPath, forbidden, invalid } from '../../../apimachinery/field-errors.ts';
import { eachContainer } from './containers.ts';
import { jsonFault } from './node-annotation-validation.ts';
import { validateTolerations } from './placement-validation.ts';
import type { Faults } from './resource-validation.ts';
import { descending } from './volume-paths.ts';

type Gates = Pick<StrategyContext, 'featureEnabled'>;
type Annotations = Pod['metadata']['annotations'];

export const seccompPod = 'seccomp.security.alpha.kubernetes.io/pod';
export const seccompContainer = 'container.seccomp.security.alpha.kubernetes.io/';
export const appArmorContainer = 'container.apparmor.security.beta.kubernetes.io/';
const tolerationsKey = 'scheduler.alpha.kubernetes.io/tolerations';
const costKey = 'controller.kubernetes.io/pod-deletion-cost';

/** Whether it says what it costs to delete the pod, and not as a number. */
export function isCostFault(annotations: Annotations): boolean {
  const cost = getOwn(annotations, costKey);
  return cost !== undefined && !isCost(cost);
}

export function validatePodAnnotations(annotations: Annotations, spec: PodSpec | undefined, gates: Gates, path: FieldPath, out: Faults): void {
  if (annotations === undefined) return;
  const mirror = getOwn(annotations, mirrorAnnotation);
  if (mirror !== undefined && !spec?.nodeName)
    out.push(invalid(path.key(mirrorAnnotation), mirror, 'must set spec.nodeName if mirror pod annotation is set'));
  const tolerations = getOwn(annotations, tolerationsKey);
  if (tolerations) validateTolerationText(tolerations, path, out);
  if (isCostFault(annotations) && gates.featureEnabled('PodDeletionCost'))
    out.push(invalid(path.key(costKey), getOwn(annotations, costKey), 'must be a 32bit integer'));
  validateSeccompTexts(annotations, path, out);
  if (gates.featureEnabled('AppArmor')) validateAppArmorTexts(annotations, spec, path, out);
  else refuseAppArmor(annotations, path, out);
}

function validateTolerationText(text: string, path: FieldPath, out: Faults): void {
  const fault = jsonFault(text);
  if (fault !== undefined) return void out.push(invalid(path, tolerationsKey, fault));
  const parsed: unknown = JSON.parse(text);
  if (Array.isArray(parsed)) validateTolerations(parsed as readonly Toleration[], false, path.child(tolerationsKey), out);
}

/** Without a plus sign or zeros in front. */
function isCost(text: string): boolean {
  return /^(0|-?[0-9]+)$/.test(text) && !/^0./.test(text) && Number(text) >= -(2 ** 31) && Number(text) < 2 ** 31;
}

function validateSeccompTexts(annotations: NonNullable<Annotations>, path: FieldPath, out: Faults): void {
  const pod = getOwn(annotations, seccompPod);
  if (pod !== undefined) validateSeccompText(pod, path.child(seccompPod), out);
  for (const key of Object.keys(annotations)) if (key.startsWith(seccompContainer)) validateSeccompText(annotations[key] ?? '', path.child(key), out);
}

export function validateSeccompText(text: string, path: FieldPath, out: Faults): void {
  if (text === 'runtime/default' || text === 'docker/default' || text === 'unconfined') return;
  if (text.startsWith('localhost/')) descending(text.slice('localhost/'.length), path, out);
  else out.push(invalid(path, text, 'must be a valid seccomp profile'));
}

function refuseAppArmor(annotations: NonNullable<Annotations>, path: FieldPath, out: Faults): void {
  for (const key of Object.keys(annotations))
    if (key.startsWith(appArmorContainer)) out.push(forbidden(path.key(key), 'AppArmor is disabled by feature-gate'));
}

function validateAppArmorTexts(annotations: NonNullable<Annotations>, spec: PodSpec | undefined, path: FieldPath, out: Faults): void {
  for (const key of Object.keys(annotations)) {
    if (!key.startsWith(appArmorContainer)) continue;
    const name = key.slice(appArmorContainer.length);
    const profile = annotations[key] ?? '';
    let isThere = false;
    if (spec) eachContainer(spec, path, (container) => void (isThere ||= container.name === name));
    if (!isThere) out.push(invalid(path.key(key), name, 'container not found'));
    validateAppArmorText(profile, path.key(key), out);
  }
}

/** `shown`: what the profile stands in. */
export function validateAppArmorText(profile: string, path: FieldPath, out: Faults, shown = profile): void {
  if (profile === '' || profile === 'runtime/default' || profile === 'unconfined' || profile.startsWith('localhost/')) return;
  out.push(invalid(path, shown, `invalid AppArmor profile name: ${goQuote(profile)}`));
}

/** Where both an annotation and a field speak. */
export function validateProfileMatch(annotations: Annotations, spec: PodSpec, path: FieldPath, out: Faults): void {
  if (annotations === undefined) return;
  const pod = spec.securityContext;
  if (pod?.seccompProfile) matchSeccomp(getOwn(annotations, seccompPod), pod.seccompProfile, path.child('securityContext', 'seccompProfile'), out);
  eachContainer(spec, path, ({ name, securityContext }, at) => {
    if (securityContext?.seccompProfile)
      matchSeccomp(
        getOwn(annotations, seccompContainer + name),
        securityContext.seccompProfile,
        at().child('securityContext', 'seccompProfile'),
        out,
      );
  });
  if (spec.os?.name === 'windows') return;
  eachContainer(spec, path, ({ name, securityContext }, at) => {
    const profile = securityContext?.appArmorProfile ?? pod?.appArmorProfile;
    if (profile) matchAppArmor(getOwn(annotations, appArmorContainer + name), profile, at().child('securityContext', 'appArmorProfile'), out);
  });
}

const names: { readonly [type: string]: readonly string[] } = { Unconfined: ['unconfined'], RuntimeDefault: ['runtime/default'] };

function matchSeccomp(text: string | undefined, { type, localhostProfile }: SeccompProfile, path: FieldPath, out: Faults): void {
  match(text, type, localhostProfile, 'seccomp', type === 'RuntimeDefault' ? ['runtime/default', 'docker/default'] : getOwn(names, type), path, out);
}

function matchAppArmor(text: string | undefined, { type, localhostProfile }: AppArmorProfile, path: FieldPath, out: Faults): void {
  match(text, type, localhostProfile, 'apparmor', getOwn(names, type), path, out);
}

function match(
  text: string | undefined,
  type: string,
  file: string | undefined,
  what: string,
  known: readonly string[] | undefined,
  path: FieldPath,
  out: Faults,
): void {
  if (text === undefined) return;
  if (type === 'Localhost') {
    if (!text.startsWith('localhost/')) out.push(forbidden(path.child('type'), `${what} type in annotation and field must match`));
    else if (text.slice('localhost/'.length) !== file)
      out.push(forbidden(path.child('localhostProfile'), `${what} profile in annotation and field must match`));
  } else if (known?.includes(text) === false) out.push(forbidden(path.child('type'), `${what} type in annotation and field must match`));
}
