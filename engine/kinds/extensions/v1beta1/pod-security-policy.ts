/** What pods may ask for, as releases before 1.25 had it. Mirrors pkg/registry/policy/podsecuritypolicy. */
import type { PodSecurityPolicy } from '../../../api/extensions/v1beta1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { edit, fill } from '../../shared/defaulting.ts';
import { columns, nameOf } from '../../shared/table.ts';
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
  columns: columns('Name', 'Priv', 'Caps', 'SELinux', 'RunAsUser', 'FsGroup', 'SupGroup', 'ReadOnlyRootFs', 'Volumes'),
  row(object) {
    const { privileged = false, allowedCapabilities = [], seLinux, runAsUser, fsGroup, supplementalGroups, ...spec } = object.spec ?? emptySpec;
    const rules = [seLinux, runAsUser, fsGroup, supplementalGroups].map((strategy) => strategy?.rule ?? '');
    const { readOnlyRootFilesystem = false, volumes = [] } = spec;
    return [nameOf(object), String(privileged), allowedCapabilities.join(','), ...rules, String(readOnlyRootFilesystem), volumes.join(',')];
  },
});

const emptySpec: Partial<NonNullable<PodSecurityPolicy['spec']>> = Object.freeze({});
