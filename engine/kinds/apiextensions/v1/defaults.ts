/** Defaults of custom resource definitions. Mirrors k8s.io/apiextensions-apiserver pkg/apis/apiextensions/v1/defaults.go. */
import type { CustomResourceDefinition } from '../../../api/apiextensions/v1/types.gen.ts';
import { edit, fill, fillZero } from '../../shared/defaulting.ts';

const conversionDefaults = Object.freeze({ conversion: Object.freeze({ strategy: 'None' }) });

export function defaultCustomResourceDefinition(object: CustomResourceDefinition): CustomResourceDefinition {
  return edit(object, 'spec', (spec) => {
    const named = edit(spec, 'names', (names) =>
      names.kind ? fillZero(names, { singular: names.kind.toLowerCase(), listKind: `${names.kind}List` }) : names,
    );
    return edit(fill(named, conversionDefaults), 'conversion', (conversion) =>
      edit(conversion, 'webhook', (webhook) =>
        edit(webhook, 'clientConfig', (config) =>
          edit(config, 'service', (service) => (service.port === undefined ? { ...service, port: 443 } : service)),
        ),
      ),
    );
  });
}

/** The stored versions are known from the first moment. */
export function prepareDefinition(object: CustomResourceDefinition): CustomResourceDefinition {
  const stored = (object.spec?.versions ?? []).filter((version) => version.storage).map((version) => version.name);
  return { ...object, status: { acceptedNames: { plural: '', kind: '' }, storedVersions: stored } } as unknown as CustomResourceDefinition;
}
