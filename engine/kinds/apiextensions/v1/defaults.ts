/** Defaults of custom resource definitions. Mirrors k8s.io/apiextensions-apiserver pkg/apis/apiextensions/v1/defaults.go. */
import type { CustomResourceConversion, CustomResourceDefinition } from '../../../api/apiextensions/v1/types.gen.ts';
import { cleanupFinalizer, type Condition, withCondition } from '../../../component-helpers/definition-conditions.ts';
import type { StrategyContext } from '../../../contracts/kind.ts';
import { edit, fill, fillZero } from '../../shared/defaulting.ts';
import { keepStatus } from '../../shared/strategy.ts';

const conversionDefaults = Object.freeze({ conversion: Object.freeze({ strategy: 'None' }) });

export function defaultCustomResourceDefinition(object: CustomResourceDefinition): CustomResourceDefinition {
  const next = noteStored(object);
  return edit(next, 'spec', (spec) => {
    const named = edit(spec, 'names', (names) =>
      names.kind ? fillZero(names, { singular: names.kind.toLowerCase(), listKind: `${names.kind}List` }) : names,
    );
    return edit(fill(named, conversionDefaults), 'conversion', (conversion) =>
      edit(withoutHollowHook(conversion), 'webhook', (webhook) =>
        edit(webhook, 'clientConfig', (config) =>
          edit(config, 'service', (service) => (service.port === undefined ? { ...service, port: 443 } : service)),
        ),
      ),
    );
  });
}

/** A webhook of which nothing is said is none. */
function withoutHollowHook(conversion: CustomResourceConversion): CustomResourceConversion {
  const { webhook, ...rest } = conversion;
  const isHollow = webhook && !webhook.clientConfig && (webhook.conversionReviewVersions ?? []).length === 0;
  return isHollow ? rest : conversion;
}

/** Who says of none that it was stored says it of the one that is. */
export function noteStored(object: CustomResourceDefinition): CustomResourceDefinition {
  const stored = object.spec?.versions?.find((version) => version.storage)?.name;
  if (stored === undefined || (object.status?.storedVersions ?? []).length > 0) return object;
  return { ...object, status: { ...object.status, storedVersions: [stored] } } as CustomResourceDefinition;
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
  const { metadata } = object;
  const before = metadata.finalizers ?? [];
  const finalizers = before.includes(cleanupFinalizer) ? before : [...before, cleanupFinalizer];
  const message = 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon';
  const pending: Condition = { type: 'Terminating', status: 'True', reason: 'InstanceDeletionPending', message };
  return withCondition({ ...object, metadata: { ...metadata, deletionTimestamp: nowText, finalizers } }, pending, nowText);
}
