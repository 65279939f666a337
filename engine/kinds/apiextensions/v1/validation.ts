/** Definitions of kinds, in upstream's order. Mirrors pkg/apis/apiextensions/validation of apiextensions-apiserver. */
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionSpec,
  CustomResourceDefinitionVersion,
} from '../../../api/apiextensions/v1/types.gen.ts';
import { hasDefault, someSchema } from '../../../apiextensions/schema/definition-validation.ts';
import { duplicate, type FieldErrorList, type FieldPath, invalid, notSupported, required } from '../../../apimachinery/field-errors.ts';
import { immutableText, isDNS1035Label, isDNS1123Subdomain, validateImmutableField } from '../../../apimachinery/validation.ts';
import { approvalAnnotation, approvalOf, isProtectedGroup } from '../../../component-helpers/definition-approval.ts';
import { isTrue } from '../../../component-helpers/definition-conditions.ts';
import type { StrategyContext } from '../../../contracts/kind.ts';
import type { Faults } from '../../core/v1/resource-validation.ts';
import { metadataPath, specPath, statusPath } from '../../shared/strategy.ts';
import { type ConversionContext, validateConversion } from './conversion-validation.ts';
import { lift, type Lifted, type LiftedVersion, shownVersions } from './lifted.ts';
import { validateNames } from './names-validation.ts';
import { type SchemaContext, schemaContext, schemasOf, validateSelectable, validateVersionSchema } from './schema-validation.ts';
import { validateColumns, validateScale } from './subresource-validation.ts';

const storedPath = statusPath.child('storedVersions');

type Context = Pick<StrategyContext, 'ratcheted' | 'certificates' | 'featureEnabled'>;
type Spec = Partial<CustomResourceDefinitionSpec>;

export function validateDefinition(object: CustomResourceDefinition, context: Context): FieldErrorList {
  return judge(object, undefined, context);
}

export function validateDefinitionUpdate(next: CustomResourceDefinition, old: CustomResourceDefinition, context: Context): FieldErrorList {
  return judge(next, old, context);
}

/** Whoever writes the status may say anything but names that cannot be. */
export function validateDefinitionStatus({ status }: CustomResourceDefinition): FieldErrorList {
  const out: Faults = [];
  validateNames(status?.acceptedNames ?? {}, statusPath.child('acceptedNames'), out);
  return out;
}

/** A name says what is defined and where. */
export function definitionNameFaults(name: string, { spec }: CustomResourceDefinition): readonly string[] {
  return name === `${spec?.names?.plural ?? ''}.${spec?.group ?? ''}` ? [] : ['must be spec.names.plural+"."+spec.group'];
}

function judge(object: CustomResourceDefinition, old: CustomResourceDefinition | undefined, context: Context): FieldErrorList {
  const out: Faults = [];
  const spec: Spec = object.spec ?? {};
  const isStructural = context.ratcheted('StructuralSchemas');
  // What does not serve yet may trust anybody; it will not be established.
  const bundleJudge = isStructural && old !== undefined && isTrue(old, 'Established') ? context.certificates : undefined;
  validateSpec(
    spec,
    old?.spec,
    isStructural ? schemaContext(spec, old?.spec) : undefined,
    { bundleJudge, withWebhooks: context.featureEnabled('CustomResourceWebhookConversion') },
    out,
  );
  if (old !== undefined) validateUnchanged(spec, old, out);
  out.push(...validateDefinitionStatus(object));
  validateStored(object, context.ratcheted('InternalValues'), out);
  validateApproval(object, old, out);
  const isPreserving = spec.preserveUnknownFields === true && old?.spec.preserveUnknownFields !== true;
  if (isPreserving && context.ratcheted('StructuralSchemas')) {
    const why = 'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead';
    out.push(invalid(specPath.child('preserveUnknownFields'), true, why));
  }
  return out;
}

/** Without a context schemas need not be structural: a definition needs none. */
function validateSpec(spec: Spec, old: Spec | undefined, context: SchemaContext | undefined, converting: ConversionContext, out: Faults): void {
  const lifted = lift(spec);
  validateGroup(spec, out);
  if (context !== undefined) validatePresence(spec, lifted, context, out);
  validateVersions(spec, lifted, context, out);
  for (const member of ['plural', 'singular', 'kind', 'listKind'] as const)
    if (!spec.names?.[member]) out.push(required(specPath.child('names').child(member)));
  validateNames(spec.names ?? {}, specPath.child('names'), out);
  const hasStatus = (spec.versions ?? []).some(({ subresources }) => Boolean(subresources?.status));
  validateVersionSchema(lifted, specPath.child('validation'), hasStatus, context, out);
  validateScale(lifted.subresources?.scale, specPath.child('subresources').child('scale'), out);
  validateColumns(lifted.columns, specPath.child('additionalPrinterColumns'), out);
  if (context !== undefined) validateSelectable(lifted, specPath, true, context.crowded.size > 0, out);
  if (context !== undefined && spec.preserveUnknownFields === true && spec.conversion && spec.conversion.strategy !== 'None')
    out.push(invalid(specPath.child('conversion').child('strategy'), spec.conversion.strategy, 'must be None if spec.preserveUnknownFields is true'));
  if (spec.conversion) validateConversion(spec.conversion, old?.conversion, converting, specPath.child('conversion'), out);
}

function validateGroup({ group = '', scope }: Spec, out: Faults): void {
  const at = specPath.child('group');
  const faults = group === '' ? [] : isDNS1123Subdomain(group);
  if (group === '') out.push(required(at));
  else if (faults.length > 0) out.push(invalid(at, group, faults.join(',')));
  else if (!group.includes('.')) out.push(invalid(at, group, 'should be a domain with at least one dot'));
  if (!scope) out.push(required(specPath.child('scope')));
  else if (scope !== 'Cluster' && scope !== 'Namespaced') out.push(notSupported(specPath.child('scope'), scope, ['Cluster', 'Namespaced']));
}

/** Every version has a schema, but where they had none before. */
function validatePresence(spec: Spec, { schema, versions }: Lifted, context: SchemaContext, out: Faults): void {
  const isAbove = Boolean(schema?.openAPIV3Schema);
  for (const [index, one] of isAbove ? [] : versions.entries()) {
    if (one.schema?.openAPIV3Schema) continue;
    const at = specPath.child('versions').index(index).child('schema').child('openAPIV3Schema');
    if (context.requiresSchemas) out.push(required(at));
    else if (spec.preserveUnknownFields !== true && one.version.served) out.push(required(at, 'because otherwise all fields are pruned'));
  }
  if (spec.preserveUnknownFields === true && schemasOf(spec).some((one) => someSchema(one, hasDefault)))
    out.push(invalid(specPath.child('preserveUnknownFields'), true, 'must be false in order to use defaults in the schema'));
}

function validateVersions(spec: Spec, lifted: Lifted, context: SchemaContext | undefined, out: Faults): void {
  const { versions } = lifted;
  const path = specPath.child('versions');
  for (const [index, one] of versions.entries()) {
    const name = one.version.name ?? '';
    const faults = isDNS1035Label(name);
    if (faults.length > 0) out.push(invalid(path.index(index).child('name'), name, faults.join(',')));
    validateVersion(one, lifted, path.index(index), context, out);
  }
  const names = versions.map(({ version }) => version.name);
  if (new Set(names).size < names.length) out.push(invalid(path, shownVersions(versions), 'must contain unique version names'));
  if (versions.filter(({ version }) => version.storage).length !== 1)
    out.push(invalid(path, spec.versions ? shownVersions(versions) : null, 'must have exactly one version marked as storage version'));
  const first = names[0] ?? '';
  const faults = first === '' ? [] : isDNS1035Label(first);
  if (faults.length > 0) out.push(invalid(specPath.child('version'), first, faults.join(',')));
}

function validateVersion(one: LiftedVersion, lifted: Lifted, path: FieldPath, context: SchemaContext | undefined, out: Faults): void {
  for (const why of warningFaults(one.version)) out.push(invalid(path.child('deprecationWarning'), one.version.deprecationWarning, why));
  const hasStatus = Boolean((one.subresources ?? lifted.subresources)?.status);
  validateVersionSchema(one, path.child('schema'), hasStatus, context, out);
  validateScale(one.subresources?.scale, path.child('subresources').child('scale'), out);
  validateColumns(one.columns, path.child('additionalPrinterColumns'), out);
  if (context !== undefined) validateSelectable(one, path, false, context.crowded.has(one.version.name), out);
}

function warningFaults({ deprecated, deprecationWarning: text }: CustomResourceDefinitionVersion): readonly string[] {
  if (text === undefined || text === null) return [];
  if (!deprecated) return ['can only be set for deprecated versions'];
  const faults: string[] = [];
  if (Buffer.byteLength(text) > 256) faults.push('must be <= 256 characters long');
  if (text === '') faults.push('must not be an empty string');
  const hidden = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u.exec(text);
  if (hidden !== null) {
    const at = Buffer.byteLength(text.slice(0, hidden.index));
    faults.push(`must only contain printable UTF-8 characters; non-printable character found at index ${at}`);
  }
  return faults;
}

function validateUnchanged(spec: Spec, old: CustomResourceDefinition, out: Faults): void {
  const isEstablished = old.status?.conditions?.some(({ type, status }) => type === 'Established' && status === 'True') === true;
  const names = specPath.child('names');
  if (isEstablished) {
    out.push(...validateImmutableField(spec.scope, old.spec.scope, specPath.child('scope')));
    out.push(...validateImmutableField(spec.names?.kind, old.spec.names?.kind, names.child('kind')));
  }
  if (spec.group !== old.spec.group) out.push(invalid(specPath.child('group'), spec.group, immutableText));
  out.push(...validateImmutableField(spec.names?.plural, old.spec.names?.plural, names.child('plural')));
}

/** Objects of a version that was once stored are there until somebody has rewritten them. */
function validateStored({ spec, status }: CustomResourceDefinition, showsStored: boolean, out: Faults): void {
  const stored = status?.storedVersions ?? [];
  const versions = spec?.versions ?? [];
  if (stored.length === 0) return void out.push(invalid(storedPath, null, 'must have at least one stored version'));
  const known = new Set(versions.map(({ name }) => name));
  const seen = new Set<string>();
  const kept = new Set(stored);
  for (const [index, { name, storage }] of versions.entries()) {
    if (storage && !kept.has(name)) {
      const shown = showsStored ? stored : shownVersions(lift(spec ?? {}).versions)[index];
      out.push(invalid(storedPath, shown, `must have the storage version ${name}`));
    }
    // One entry stands for one version.
    kept.delete(name);
  }
  for (const [index, name] of stored.entries()) {
    if (seen.has(name)) out.push(duplicate(storedPath.index(index), name));
    seen.add(name);
    if (known.has(name)) continue;
    const why = `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`;
    out.push(invalid(storedPath.index(index), name, why));
  }
}

/** Groups of the community say who approved them; a definition that never did may go on so. */
function validateApproval(object: CustomResourceDefinition, old: CustomResourceDefinition | undefined, out: Faults): void {
  if (!isProtectedGroup(object.spec?.group ?? '')) return;
  const { annotations } = object.metadata;
  const { state, reason } = approvalOf(annotations);
  if (old !== undefined && approvalOf(old.metadata.annotations).state === state) return;
  const at = metadataPath.child('annotations').key(approvalAnnotation);
  if (state === 'missing') out.push(required(at, reason));
  if (state === 'invalid') out.push(invalid(at, annotations?.[approvalAnnotation] ?? '', reason));
}
