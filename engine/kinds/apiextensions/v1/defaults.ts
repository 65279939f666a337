/** Defaults of custom resource definitions. Mirrors k8s.io/apiextensions-apiserver pkg/apis/apiextensions/v1/defaults.go. */
import type { CustomResourceDefinition } from '../../../api/apiextensions/v1/types.gen.ts';
import type { StrategyContext } from '../../../contracts/kind.ts';
import { edit, fill, fillZero } from '../../shared/defaulting.ts';
import { keepStatus } from '../../shared/strategy.ts';

const cleanup = 'customresourcecleanup.apiextensions.k8s.io';
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

/** The stored version is known from the first moment. */
export function prepareDefinition(object: CustomResourceDefinition): CustomResourceDefinition {
  const stored = object.spec?.versions?.find((version) => version.storage);
  const storedVersions = stored === undefined ? [] : [stored.name];
  return { ...object, status: { acceptedNames: { plural: '', kind: '' }, storedVersions } } as unknown as CustomResourceDefinition;
}

/** An update keeps the status; a version that is stored from now on is noted in it. */
export function keepStored(next: CustomResourceDefinition, old: CustomResourceDefinition): CustomResourceDefinition {
  const kept = keepStatus(next, old);
  const stored = kept.spec?.versions?.find((version) => version.storage)?.name;
  const known = kept.status?.storedVersions ?? [];
  if (stored === undefined || !kept.status || known.includes(stored)) return kept;
  return { ...kept, status: { ...kept.status, storedVersions: [...known, stored] } };
}

/** Objects of the kind go first: whoever clears them up takes the finalizer away. */
export function markTerminating(object: CustomResourceDefinition, { nowText }: Pick<StrategyContext, 'nowText'>): CustomResourceDefinition {
  const { metadata, status } = object;
  const finalizers = metadata.finalizers ?? [];
  const message = 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon';
  const condition = { type: 'Terminating', status: 'True', lastTransitionTime: nowText, reason: 'InstanceDeletionPending', message };
  const others = (status?.conditions ?? []).filter(({ type }) => type !== condition.type);
  return {
    ...object,
    metadata: { ...metadata, deletionTimestamp: nowText, finalizers: finalizers.includes(cleanup) ? finalizers : [...finalizers, cleanup] },
    status: { ...status, conditions: [...others, condition] } as NonNullable<CustomResourceDefinition['status']>,
  };
}
