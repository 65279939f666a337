/** Ingresses as extensions/v1beta1 had them: backends are a name and a port. Mirrors pkg/apis/extensions/v1beta1/conversion.go. */
import type { HTTPIngressPath, Ingress, IngressBackend, IngressRule } from '../../../api/extensions/v1beta1/types.gen.ts';
import type {
  HTTPIngressPath as StoredPath,
  Ingress as Stored,
  IngressBackend as StoredBackend,
  IngressRule as StoredRule,
} from '../../../api/networking/v1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { ingressKind as stored } from '../../networking/v1/ingress.ts';
import { edit, editEach, fillZero } from '../../shared/defaulting.ts';
import { olderForm } from '../../shared/older.ts';

const pathDefaults = Object.freeze({ pathType: 'ImplementationSpecific' });

export const ingressKind = defineKind<Ingress>(
  olderForm(stored, {
    group: 'extensions',
    version: 'v1beta1',
    schema: 'io.k8s.api.extensions.v1beta1.Ingress',
    deprecated: 14,
    removed: 22,
    defaults: (object) =>
      edit(object, 'spec', (spec) =>
        editEach(spec, 'rules', (rule) => edit(rule, 'http', (http) => editEach(http, 'paths', (path) => fillZero(path, pathDefaults)))),
      ),
    toStored,
    fromStored,
  }),
);

function toStored(object: Ingress): Stored {
  if (!object.spec) return object as unknown as Stored;
  const { backend, rules, ...spec } = object.spec;
  return {
    ...object,
    spec: {
      ...spec,
      ...(backend ? { defaultBackend: storedBackend(backend) } : undefined),
      ...(rules
        ? { rules: rules.map((rule) => edit(rule as StoredRule, 'http', (http) => ({ ...http, paths: (http.paths ?? []).map(storedPath) }))) }
        : undefined),
    },
  } as unknown as Stored;
}

function storedPath(path: StoredPath): StoredPath {
  const { backend, ...rest } = path as unknown as HTTPIngressPath;
  return { ...rest, backend: storedBackend(backend) } as StoredPath;
}

function storedBackend(backend: IngressBackend | undefined): StoredBackend {
  const { serviceName = '', servicePort = 0, resource } = backend ?? {};
  const named = typeof servicePort === 'string';
  const port = named ? (servicePort === '' ? {} : { name: servicePort }) : servicePort === 0 ? {} : { number: servicePort };
  return {
    ...(serviceName === '' && servicePort === 0 ? undefined : { service: { name: serviceName, port } }),
    ...(resource ? { resource } : undefined),
  };
}

function fromStored(object: Stored): Ingress {
  if (!object.spec) return object as unknown as Ingress;
  const { ingressClassName, defaultBackend, tls, rules } = object.spec;
  return {
    ...object,
    spec: {
      ...(ingressClassName === undefined ? undefined : { ingressClassName }),
      ...(defaultBackend ? { backend: ownBackend(defaultBackend) } : undefined),
      ...(tls ? { tls } : undefined),
      ...(rules
        ? {
            rules: rules.map((rule) => edit(rule as unknown as IngressRule, 'http', (http) => ({ ...http, paths: (http.paths ?? []).map(ownPath) }))),
          }
        : undefined),
    },
  } as unknown as Ingress;
}

function ownPath(path: HTTPIngressPath): HTTPIngressPath {
  const { backend, ...rest } = path as unknown as StoredPath;
  return { ...rest, backend: ownBackend(backend) } as HTTPIngressPath;
}

function ownBackend({ service, resource }: StoredBackend): IngressBackend {
  return {
    ...(service ? { serviceName: service.name, servicePort: service.port?.name || (service.port?.number ?? 0) } : undefined),
    ...(resource ? { resource } : undefined),
  };
}
