/** Ingresses. Mirrors pkg/registry/networking/ingress/strategy.go. */
import type { Ingress } from '../../../api/networking/v1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { ageOf, columns, described, loadBalancerText, nameOf, text } from '../../shared/table.ts';
import { balancerWarnings, classAnnotation, validateIngress, validateIngressStatus, validateIngressUpdate } from './validation.ts';

export const ingressKind = defineKind<Ingress>({
  group: 'networking.k8s.io',
  version: 'v1',
  kind: 'Ingress',
  metaChecks: { update: 'UM' },
  plural: 'ingresses',
  singular: 'ingress',
  shortNames: ['ing'],
  namespaced: true,
  schema: 'io.k8s.api.networking.v1.Ingress',
  storagePrefix: 'ingress',
  statusSubresource: { verbs: ['get', 'patch', 'update'], validateUpdate: validateIngressStatus, warnings: balancerWarnings },
  warnings: ({ metadata, spec }, old) =>
    old === undefined && metadata.annotations?.[classAnnotation] !== undefined && spec?.ingressClassName === undefined
      ? [`annotation "${classAnnotation}" is deprecated, please use 'spec.ingressClassName' instead`]
      : [],
  validate: validateIngress,
  validateUpdate: validateIngressUpdate,
  columns: columns(
    'Name',
    described('Class', 'The name of the IngressClass resource that should be used for additional configuration'),
    described('Hosts', 'Hosts that incoming requests are matched against before the ingress rule'),
    described('Address', 'Address is a list containing ingress points for the load-balancer'),
    described('Ports', 'Ports of TLS configurations that open'),
    'Age',
  ),
  row(object, context) {
    const rules = object.spec?.rules ?? [];
    const hosts =
      rules
        .slice(0, 3)
        .map((rule) => rule.host ?? '')
        .filter((host) => host !== '')
        .join(',') || '*';
    const shown = rules.length > 3 && hosts !== '*' ? `${hosts} + ${rules.length - 3} more...` : hosts;
    const address = loadBalancerText(object.status?.loadBalancer?.ingress);
    const ports = (object.spec?.tls?.length ?? 0) > 0 ? '80, 443' : '80';
    return [nameOf(object), text(object.spec?.ingressClassName, '<none>'), shown, address, ports, ageOf(object, context)];
  },
});
