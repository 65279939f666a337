/** What pods may ask for, as releases before 1.25 had it. Mirrors pkg/registry/policy/podsecuritypolicy. */
import type { PodSecurityPolicy } from '../../../api/extensions/v1beta1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { edit, fill } from '../../shared/defaulting.ts';
import { columns, described, nameOf } from '../../shared/table.ts';
import { validateSecurityPolicy } from './policy-validation.ts';

export const podSecurityPolicyKind = defineKind<PodSecurityPolicy>({
  group: 'extensions',
  version: 'v1beta1',
  kind: 'PodSecurityPolicy',
  plural: 'podsecuritypolicies',
  singular: 'podsecuritypolicy',
  shortNames: ['psp'],
  namespaced: false,
  schema: 'io.k8s.api.extensions.v1beta1.PodSecurityPolicy',
  storagePrefix: 'podsecuritypolicy',
  hasGeneration: false,
  deprecation: 'extensions/v1beta1 PodSecurityPolicy is deprecated in v1.11+, unavailable in v1.16+; use policy/v1beta1 PodSecurityPolicy',
  defaults: (object) => edit(object, 'spec', (spec) => fill(spec, { allowPrivilegeEscalation: true })),
  validate: validateSecurityPolicy,
  validateUpdate: validateSecurityPolicy,
  columns: columns(
    'Name',
    described('Priv', 'privileged determines if a pod can request to be run as privileged.'),
    'Caps',
    described('SELinux', 'seLinux is the strategy that will dictate the allowable labels that may be set.'),
    described('RunAsUser', 'runAsUser is the strategy that will dictate the allowable RunAsUser values that may be set.'),
    described('FsGroup', 'fsGroup is the strategy that will dictate what fs group is used by the SecurityContext.'),
    described('SupGroup', 'supplementalGroups is the strategy that will dictate what supplemental groups are used by the SecurityContext.'),
    'ReadOnlyRootFs',
    described(
      'Volumes',
      "volumes is a white list of allowed volume plugins. Empty indicates that no volumes may be used. To allow all volumes you may use '*'.",
    ),
  ),
  row(object) {
    const { privileged = false, allowedCapabilities = [], seLinux, runAsUser, fsGroup, supplementalGroups, ...spec } = object.spec ?? emptySpec;
    const rules = [seLinux, runAsUser, fsGroup, supplementalGroups].map((strategy) => strategy?.rule ?? '');
    const { readOnlyRootFilesystem = false, volumes = [] } = spec;
    return [nameOf(object), String(privileged), allowedCapabilities.join(','), ...rules, readOnlyRootFilesystem, volumes.join(',')];
  },
});

const emptySpec: Partial<NonNullable<PodSecurityPolicy['spec']>> = Object.freeze({});
