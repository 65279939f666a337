/** Situations of certificates, tokens, roles, address ranges and policies. */
import { object, pod, secret } from '../objects.ts';
import { situation, situationsOf, type Step } from '../situation.ts';
import { create, patch, remove, rest, until, untilGone } from '../steps.ts';

const token = { type: 'kubernetes.io/service-account-token' };
const role = (name: string, rules: readonly object[], more: object = {}): Step =>
  create(object('rbac.authorization.k8s.io/v1', 'ClusterRole', `<ns>-${name}`, { rules, ...more }));
const rule = (resource: string): object => ({ apiGroups: [''], resources: [resource], verbs: ['get'] });
const aggregate = { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { to: '<ns>' } }] } };
const labels = { meta: { labels: { to: '<ns>' } } };
const template = { spec: { spec: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'none' } }] } } } };

export const accessSituations = situationsOf('access', [
  situation('a token is filled in', [
    create(secret('t', { ...token, meta: { annotations: { 'kubernetes.io/service-account.name': 'default' } } })),
    until('secrets/t', (found) => found['data'] !== undefined),
    rest(),
  ]),
  situation('a token of an account that is not there', [
    create(secret('t', { ...token, meta: { annotations: { 'kubernetes.io/service-account.name': 'none' } } })),
    rest(),
  ]),
  situation('a token goes with its account', [
    create(object('v1', 'ServiceAccount', 'robot')),
    create(secret('t', { ...token, meta: { annotations: { 'kubernetes.io/service-account.name': 'robot' } } })),
    until('secrets/t', (found) => found['data'] !== undefined),
    remove('serviceaccounts/robot'),
    untilGone('secrets/t'),
    rest(),
  ]),
  situation('a token that lost its data gets it back', [
    create(secret('t', { ...token, meta: { annotations: { 'kubernetes.io/service-account.name': 'default' } } })),
    until('secrets/t', (found) => found['data'] !== undefined),
    rest(),
    patch('secrets/t', { data: { token: null, 'ca.crt': null } }),
    until('secrets/t', ({ data }) => Object.keys((data as object | undefined) ?? {}).length === 3),
    rest(),
  ]),
  situation('a token of an account of that name, but another', [
    create(
      secret('t', {
        ...token,
        meta: {
          annotations: {
            'kubernetes.io/service-account.name': 'default',
            'kubernetes.io/service-account.uid': '11111111-1111-1111-1111-111111111111',
          },
        },
      }),
    ),
    rest(),
  ]),
  situation('a token is listed by its account', [
    create(object('v1', 'ServiceAccount', 'robot', { secrets: [{ name: 't' }] })),
    create(secret('t', { ...token, meta: { annotations: { 'kubernetes.io/service-account.name': 'robot' } } })),
    until('secrets/t', (found) => found['data'] !== undefined),
    remove('secrets/t'),
    untilGone('secrets/t'),
    rest(),
  ]),
  situation('a role is filled from others', [
    role('part', [rule('pods')], labels),
    role('part2', [rule('nodes')], labels),
    role('whole', [], aggregate),
    until('clusterroles/<ns>-whole', ({ rules }) => (rules as readonly object[] | null)?.length === 2),
    rest(),
  ]),
  situation('a role follows others', [
    role('part', [rule('pods')], labels),
    role('whole', [], aggregate),
    until('clusterroles/<ns>-whole', ({ rules }) => (rules as readonly object[] | null)?.length === 1),
    patch('clusterroles/<ns>-part', { rules: [rule('pods'), rule('secrets')] }),
    until('clusterroles/<ns>-whole', ({ rules }) => (rules as readonly object[] | null)?.length === 2),
    rest(),
  ]),
  situation('a role of no others', [role('whole', [], aggregate), rest()]),
  situation('a range of addresses is ready', [
    create(object('networking.k8s.io/v1', 'ServiceCIDR', '<ns>-r', { spec: { cidrs: ['10.200.0.0/24'] } })),
    until('servicecidrs/<ns>-r', { status: { conditions: [{ type: 'Ready' }] } }),
  ]),
  situation('a range of addresses goes', [
    create(object('networking.k8s.io/v1', 'ServiceCIDR', '<ns>-r', { spec: { cidrs: ['10.201.0.0/24'] } })),
    until('servicecidrs/<ns>-r', { status: { conditions: [{ type: 'Ready' }] } }),
    remove('servicecidrs/<ns>-r'),
    untilGone('servicecidrs/<ns>-r', 120),
  ]),
  situation('a claim of a template is made', [
    create(object('resource.k8s.io/v1', 'ResourceClaimTemplate', 't', template)),
    create(pod('p', { resourceClaims: [{ name: 'r', resourceClaimTemplateName: 't' }] })),
    rest(),
  ]),
  situation('a claim of a template goes with its pod', [
    create(object('resource.k8s.io/v1', 'ResourceClaimTemplate', 't', template)),
    create(pod('p', { resourceClaims: [{ name: 'r', resourceClaimTemplateName: 't' }] })),
    rest(),
    remove('pods/p'),
    untilGone('pods/p'),
    rest(),
  ]),
  situation('a template is not there', [create(pod('p', { resourceClaims: [{ name: 'r', resourceClaimTemplateName: 'none' }] })), rest()], {
    uncounted: ['FailedResourceClaimCreation'],
  }),
  situation('a policy is checked', [
    create(
      object('admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicy', '<ns>-p', {
        spec: {
          matchConstraints: {
            resourceRules: [{ apiGroups: ['none.example.com'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['things'] }],
          },
          validations: [{ expression: 'true' }],
        },
      }),
    ),
    rest(),
  ]),
]);
