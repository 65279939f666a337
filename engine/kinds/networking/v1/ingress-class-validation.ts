/** Ingress classes. Mirrors ValidateIngressClass of pkg/apis/networking/validation. */
import type { IngressClass, IngressClassParametersReference } from '../../../api/networking/v1/types.gen.ts';
import {
  type FieldErrorList,
  type FieldPath,
  forbidden,
  invalid,
  metaPlace,
  notSupported,
  required,
  tooLong,
} from '../../../apimachinery/field-errors.ts';
import { isDNS1123Label, isDNS1123Subdomain, isHTTPPath, isPathSegmentName, validateImmutableField } from '../../../apimachinery/validation.ts';
import type { Faults } from '../../core/v1/resource-validation.ts';
import { specPath } from '../../shared/strategy.ts';

const controllerMax = 250;

export function validateIngressClass({ spec }: IngressClass): FieldErrorList {
  const out: Faults = [];
  const { controller = '', parameters } = spec ?? {};
  const path = specPath.child('controller');
  if (controller.length > controllerMax) out.push(tooLong(path, controllerMax));
  validatePrefixedPath(controller, path, out);
  if (parameters) validateParameters(parameters, specPath.child('parameters'), out);
  return out;
}

export function validateIngressClassUpdate(next: IngressClass, old: IngressClass): FieldErrorList {
  return [
    ...validateImmutableField(next.spec?.controller ?? '', old.spec?.controller ?? '', specPath.child('controller')),
    metaPlace,
    ...validateIngressClass(next),
  ];
}

/** `acme.io/foo`: a domain and a path. */
function validatePrefixedPath(text: string, path: FieldPath, out: Faults): void {
  if (text === '') return void out.push(required(path));
  const slash = text.indexOf('/');
  if (slash <= 0 || slash === text.length - 1) return void out.push(invalid(path, text, 'must be a domain-prefixed path (such as "acme.io/foo")'));
  const host = text.slice(0, slash);
  for (const fault of isDNS1123Subdomain(host)) out.push(invalid(path, host, fault));
  const rest = text.slice(slash + 1);
  for (const fault of isHTTPPath(rest)) out.push(invalid(path, rest, fault));
}

function validateParameters(parameters: IngressClassParametersReference, path: FieldPath, out: Faults): void {
  const { apiGroup, scope, namespace } = parameters;
  if (apiGroup !== undefined) for (const fault of isDNS1123Subdomain(apiGroup)) out.push(invalid(path.child('apiGroup'), apiGroup, fault));
  for (const member of ['kind', 'name'] as const) {
    const value = parameters[member];
    if (!value) out.push(required(path.child(member)));
    else for (const fault of isPathSegmentName(value)) out.push(invalid(path.child(member), value, fault));
  }
  if (scope === undefined) return void out.push(required(path.child('scope')));
  const at = path.child('namespace');
  if (scope === 'Cluster') {
    if (namespace !== undefined) out.push(forbidden(at, "`parameters.scope` is set to 'Cluster'"));
  } else if (scope === 'Namespace') {
    if (namespace === undefined) out.push(required(at, "`parameters.scope` is set to 'Namespace'"));
    else for (const fault of isDNS1123Label(namespace)) out.push(invalid(at, namespace, fault));
  } else out.push(notSupported(path.child('scope'), scope, ['Cluster', 'Namespace']));
}
