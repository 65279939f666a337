/**
 * Definitions of kinds, but for what their schemas say. Upstream judges them in a form where what all versions have alike stands above
 * them, and its paths say so. Mirrors pkg/apis/apiextensions/validation of apiextensions-apiserver.
 */
import type {
  CustomResourceConversion,
  CustomResourceDefinition,
  CustomResourceDefinitionNames,
  CustomResourceDefinitionSpec,
  CustomResourceDefinitionVersion,
} from '../../../api/apiextensions/v1/types.gen.ts';
import { duplicate, type FieldErrorList, type FieldPath, forbidden, invalid, notSupported, required } from '../../../apimachinery/field-errors.ts';
import { immutableText, isDNS1035Label, isDNS1123Subdomain, validateImmutableField } from '../../../apimachinery/validation.ts';
import { deepEqual } from '../../../base/equal.ts';
import type { StrategyContext } from '../../../contracts/kind.ts';
import type { Faults } from '../../core/v1/resource-validation.ts';
import { metadataPath, specPath, statusPath } from '../../shared/strategy.ts';
import { validateWebhookClient, type WebhookClient } from '../../shared/webhook-client.ts';
import { validateColumns, validateScale } from './subresource-validation.ts';

const reviewVersions = ['v1', 'v1beta1'];
const storedPath = statusPath.child('storedVersions');

export function validateDefinition(object: CustomResourceDefinition, context: Pick<StrategyContext, 'ratcheted'>): FieldErrorList {
  const out: Faults = [];
  const spec = object.spec ?? ({} as Partial<CustomResourceDefinitionSpec>);
  const { group = '', names = {} as Partial<CustomResourceDefinitionNames>, versions = [] } = spec;
  const name = object.metadata.name ?? '';
  if (name !== `${names.plural ?? ''}.${group}`) out.push(invalid(metadataPath.child('name'), name, 'must be spec.names.plural+"."+spec.group'));
  if (group === '') out.push(required(specPath.child('group')));
  else {
    const faults = isDNS1123Subdomain(group);
    for (const fault of faults) out.push(invalid(specPath.child('group'), group, fault));
    if (faults.length === 0 && !group.includes('.')) out.push(invalid(specPath.child('group'), group, 'should be a domain with at least one dot'));
  }
  if (!spec.scope) out.push(required(specPath.child('scope')));
  else if (spec.scope !== 'Cluster' && spec.scope !== 'Namespaced')
    out.push(notSupported(specPath.child('scope'), spec.scope, ['Cluster', 'Namespaced']));
  validateVersions(spec, context, out);
  validateNames(names, specPath.child('names'), out);
  if (versions?.length) validateShared(versions, out);
  if (spec.conversion) validateConversion(spec.conversion, specPath.child('conversion'), out);
  validateStored(object, out);
  return out;
}

export function validateDefinitionUpdate(
  next: CustomResourceDefinition,
  old: CustomResourceDefinition,
  context: Pick<StrategyContext, 'ratcheted'>,
): FieldErrorList {
  const [spec, before] = [next.spec, old.spec];
  const isEstablished = old.status?.conditions?.some(({ type, status }) => type === 'Established' && status === 'True') === true;
  return [
    ...validateDefinition(next, context).filter(({ field }) => field !== 'metadata.name'),
    ...(isEstablished ? validateImmutableField(spec.scope, before.scope, specPath.child('scope')) : []),
    ...(isEstablished ? validateImmutableField(spec.names?.kind, before.names?.kind, specPath.child('names').child('kind')) : []),
    ...(spec.group === before.group ? [] : [invalid(specPath.child('group'), spec.group, immutableText)]),
    ...validateImmutableField(spec.names?.plural, before.names?.plural, specPath.child('names').child('plural')),
  ];
}

function validateVersions(spec: Partial<CustomResourceDefinitionSpec>, context: Pick<StrategyContext, 'ratcheted'>, out: Faults): void {
  const versions = spec.versions ?? [];
  const path = specPath.child('versions');
  const names = versions.map(({ name }) => name);
  const isStructural = context.ratcheted('StructuralSchemas');
  if (isStructural && spec.preserveUnknownFields === true) {
    const why = 'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead';
    out.push(invalid(specPath.child('preserveUnknownFields'), true, why));
  }
  const alike = areAlike(versions);
  for (const [index, version] of versions.entries()) {
    for (const fault of isDNS1035Label(version.name ?? '')) out.push(invalid(path.index(index).child('name'), version.name ?? '', fault));
    if (isStructural && !version.schema?.openAPIV3Schema) out.push(required(path.index(index).child('schema').child('openAPIV3Schema')));
    if (!alike) validateVersion(version, path.index(index), isStructural, out);
  }
  if (new Set(names).size < names.length) out.push(invalid(path, shownVersions(versions), 'must contain unique version names'));
  if (versions.filter(({ storage }) => storage).length !== 1)
    out.push(invalid(path, versions.length === 0 ? null : shownVersions(versions), 'must have exactly one version marked as storage version'));
  const [first] = versions;
  if (first !== undefined) {
    for (const fault of isDNS1035Label(first.name ?? '')) out.push(invalid(specPath.child('version'), first.name ?? '', fault));
    if (isStructural && alike) validateRoot(first, specPath.child('validation'), out);
  }
}

/** Whether what upstream lifts above the versions is the same in all of them. */
function areAlike(versions: readonly CustomResourceDefinitionVersion[]): boolean {
  const common = (version: CustomResourceDefinitionVersion | undefined): unknown => [
    version?.schema,
    version?.subresources,
    version?.additionalPrinterColumns,
    version?.selectableFields,
  ];
  const first = common(versions[0]);
  return versions.every((version) => deepEqual(common(version), first));
}

function validateVersion(version: CustomResourceDefinitionVersion, path: FieldPath, isStructural: boolean, out: Faults): void {
  if (isStructural) validateRoot(version, path.child('schema'), out);
  validateScale(version.subresources?.scale, path.child('subresources').child('scale'), out);
  validateColumns(version.additionalPrinterColumns, path.child('additionalPrinterColumns'), out);
}

function validateShared(versions: readonly CustomResourceDefinitionVersion[], out: Faults): void {
  const [first] = versions;
  if (!areAlike(versions)) return;
  validateScale(first?.subresources?.scale, specPath.child('subresources').child('scale'), out);
  validateColumns(first?.additionalPrinterColumns, specPath.child('additionalPrinterColumns'), out);
}

function validateRoot({ schema }: CustomResourceDefinitionVersion, path: FieldPath, out: Faults): void {
  const root = schema?.openAPIV3Schema;
  if (!root) return;
  const at = path.child('openAPIV3Schema').child('type');
  if (!root.type) out.push(required(at, 'must not be empty at the root'));
  else if (root.type !== 'object') out.push(invalid(at, root.type, 'must be object at the root'));
}

/** Upstream's own form: members without JSON names, and nothing of what it has lifted. */
function shownVersions(versions: readonly CustomResourceDefinitionVersion[]): readonly object[] {
  return versions.map(({ name, served, storage, deprecated, deprecationWarning }) => ({
    Name: name,
    Served: served,
    Storage: storage,
    Deprecated: deprecated ?? false,
    DeprecationWarning: deprecationWarning ?? null,
    Schema: null,
    Subresources: null,
    AdditionalPrinterColumns: null,
    SelectableFields: null,
  }));
}

function validateNames(names: Partial<CustomResourceDefinitionNames>, path: FieldPath, out: Faults): void {
  const { kind, listKind } = names;
  for (const member of ['plural', 'singular', 'kind', 'listKind'] as const) {
    const value = names[member] ?? '';
    const isKind = member === 'kind' || member === 'listKind';
    if (value === '') out.push(required(path.child(member)));
    else
      for (const fault of isDNS1035Label(isKind ? value.toLowerCase() : value))
        out.push(invalid(path.child(member), value, isKind ? `may have mixed case, but should otherwise match: ${fault}` : fault));
  }
  for (const list of ['shortNames', 'categories'] as const) {
    for (const [index, value] of (names[list] ?? []).entries())
      for (const fault of isDNS1035Label(value)) out.push(invalid(path.child(list).index(index), value, fault));
    if (list === 'shortNames' && kind && kind === listKind)
      out.push(invalid(path.child('listKind'), listKind, 'kind and listKind may not be the same'));
  }
}

function validateConversion({ strategy, webhook }: CustomResourceConversion, path: FieldPath, out: Faults): void {
  if (!strategy) out.push(required(path.child('strategy')));
  else if (strategy !== 'None' && strategy !== 'Webhook') out.push(notSupported(path.child('strategy'), strategy, ['None', 'Webhook']));
  const client = path.child('webhookClientConfig');
  const reviews = path.child('conversionReviewVersions');
  if (strategy !== 'Webhook') {
    const why = 'should not be set when strategy is not set to Webhook';
    if (webhook?.clientConfig) out.push(forbidden(client, why));
    if (webhook?.conversionReviewVersions?.length) out.push(forbidden(reviews, why));
    return;
  }
  if (!webhook?.clientConfig) out.push(required(client, 'required when strategy is set to Webhook'));
  else validateWebhookClient(webhook.clientConfig as WebhookClient, client, out);
  validateReviews(webhook?.conversionReviewVersions ?? [], reviews, out);
}

function validateReviews(versions: readonly string[], path: FieldPath, out: Faults): void {
  if (versions.length === 0) return void out.push(required(path));
  for (const [index, version] of versions.entries()) {
    if (versions.indexOf(version) < index) out.push(invalid(path.index(index), version, 'duplicate version'));
    for (const fault of isDNS1035Label(version)) out.push(invalid(path.index(index), version, fault));
  }
  if (!versions.some((version) => reviewVersions.includes(version)))
    out.push(invalid(path, versions, `must include at least one of ${reviewVersions.join(', ')}`));
}

/** Objects of a version that was once stored are there until somebody has rewritten them. */
function validateStored({ spec, status }: CustomResourceDefinition, out: Faults): void {
  const stored = status?.storedVersions ?? [];
  const versions = spec?.versions ?? [];
  if (stored.length === 0) return void out.push(invalid(storedPath, null, 'must have at least one stored version'));
  const current = versions.findLast(({ storage }) => storage)?.name ?? '';
  for (const [index, name] of stored.entries()) {
    if (stored.indexOf(name) < index) out.push(duplicate(storedPath.index(index), name));
    if (versions.some((version) => version.name === name)) continue;
    const why = `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`;
    out.push(invalid(storedPath.index(index), name, why));
  }
  if (current !== '' && !stored.includes(current)) out.push(invalid(storedPath, stored, `must have the storage version ${current}`));
}
