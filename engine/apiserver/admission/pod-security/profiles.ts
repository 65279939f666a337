/** The checks of the level `baseline` about AppArmor, seccomp and SELinux. Mirrors pod-security-admission policy/check_*.go. */
import type { SELinuxOptions } from '../../../api/core/v1/types.gen.ts';
import { goQuote } from '../../../apimachinery/quote.ts';
import { getOwn } from '../../../base/dictionary.ts';
import { type Check, type CheckedPod, containersOf, distinct, type Finding, joinQuoted, named, plural, setters } from './check.ts';

const appArmorPrefix = 'container.apparmor.security.beta.kubernetes.io/';
const seccompPodKey = 'seccomp.security.alpha.kubernetes.io/pod';
const seccompContainerPrefix = 'container.seccomp.security.alpha.kubernetes.io/';
const seLinuxTypes = ['', 'container_t', 'container_init_t', 'container_kvm_t'];

export const profileChecks: readonly Check[] = [
  { id: 'appArmorProfile', revisions: [{ since: 0, check: checkAppArmor }] },
  {
    id: 'seLinuxOptions',
    revisions: [
      { since: 0, check: allowSeLinuxTypes(seLinuxTypes) },
      { since: 31, check: allowSeLinuxTypes([...seLinuxTypes, 'container_engine_t']) },
    ],
  },
  {
    id: 'seccompProfile_baseline',
    revisions: [
      { since: 0, check: checkSeccompAnnotations },
      { since: 19, check: checkSeccomp },
    ],
  },
];

function isGoodType(type: string | undefined): boolean {
  return type === 'RuntimeDefault' || type === 'Localhost';
}

function checkAppArmor({ metadata, spec }: CheckedPod): Finding | undefined {
  const own = spec.securityContext?.appArmorProfile;
  const isPod = own !== undefined && !isGoodType(own.type);
  const bad = containersOf(spec).filter(
    ({ securityContext }) => securityContext?.appArmorProfile !== undefined && !isGoodType(securityContext.appArmorProfile.type),
  );
  const annotations = Object.entries(metadata.annotations ?? {})
    .filter(([key, value]) => key.startsWith(appArmorPrefix) && !(value === '' || value === 'runtime/default' || value.startsWith('localhost/')))
    .map(([key, value]) => `${key}=${goQuote(value)}`)
    .sort();
  const who = [setters(isPod, bad), ...(annotations.length === 0 ? [] : [plural('annotation', annotations)])].filter((part) => part !== '');
  if (who.length === 0) return undefined;
  const types = [...(isPod ? [own.type ?? ''] : []), ...bad.map(({ securityContext }) => securityContext?.appArmorProfile?.type ?? '')];
  const values = [...distinct(types), ...annotations];
  return {
    reason: plural('forbidden AppArmor profile', values),
    detail: `${who.join(' and ')} must not set AppArmor profile type to ${joinQuoted(values)}`,
  };
}

function isGoodSeccompAnnotation(value: string): boolean {
  return value === 'runtime/default' || value === 'docker/default' || value.startsWith('localhost/');
}

/** As it was said before there was a field for it. */
function checkSeccompAnnotations({ metadata, spec }: CheckedPod): Finding | undefined {
  const keys = [seccompPodKey, ...containersOf(spec).map(({ name = '' }) => seccompContainerPrefix + name)];
  const bad = distinct(
    keys.flatMap((key) => {
      const value = getOwn(metadata.annotations ?? {}, key);
      return value === undefined || isGoodSeccompAnnotation(value) ? [] : [`${key}=${goQuote(value)}`];
    }),
  );
  return bad.length === 0 ? undefined : { reason: 'seccompProfile', detail: `forbidden ${plural('annotation', bad)} ${bad.join(', ')}` };
}

/** Whoever says something says something good; `required`: and somebody says something for each container. */
export function checkSeccomp({ spec }: CheckedPod, required?: 'required'): Finding | undefined {
  const own = spec.securityContext?.seccompProfile;
  const isPod = own !== undefined && !isGoodType(own.type);
  const bad = containersOf(spec).filter(
    ({ securityContext }) => securityContext?.seccompProfile !== undefined && !isGoodType(securityContext.seccompProfile.type),
  );
  const who = setters(isPod, bad);
  const reason = 'seccompProfile';
  if (who !== '') {
    const types = [...(isPod ? [own.type ?? ''] : []), ...bad.map(({ securityContext }) => securityContext?.seccompProfile?.type ?? '')];
    return { reason, detail: `${who} must not set securityContext.seccompProfile.type to ${joinQuoted(distinct(types))}` };
  }
  if (required === undefined || own !== undefined) return undefined;
  const silent = containersOf(spec).filter(({ securityContext }) => securityContext?.seccompProfile === undefined);
  if (silent.length === 0) return undefined;
  return {
    reason,
    detail: `pod or ${setters(false, silent)} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"`,
  };
}

function allowSeLinuxTypes(types: readonly string[]): (pod: CheckedPod) => Finding | undefined {
  const known = new Set(types);
  const isBad = (options: SELinuxOptions | undefined): options is SELinuxOptions =>
    options !== undefined && (!known.has(options.type ?? '') || (options.user ?? '') !== '' || (options.role ?? '') !== '');
  return ({ spec }) => {
    const own = spec.securityContext?.seLinuxOptions;
    const bad = containersOf(spec).filter(({ securityContext }) => isBad(securityContext?.seLinuxOptions));
    const who = setters(isBad(own), bad);
    if (who === '') return undefined;
    const all = [own, ...bad.map(({ securityContext }) => securityContext?.seLinuxOptions)].filter(isBad);
    const badTypes = distinct(all.map(({ type = '' }) => type).filter((type) => !known.has(type)));
    const what = [
      ...(badTypes.length === 0 ? [] : [named('type', badTypes)]),
      ...(all.some(({ user = '' }) => user !== '') ? ['user may not be set'] : []),
      ...(all.some(({ role = '' }) => role !== '') ? ['role may not be set'] : []),
    ];
    return { reason: 'seLinuxOptions', detail: `${who} set forbidden securityContext.seLinuxOptions: ${what.join('; ')}` };
  };
}
