/** What a definition can only say wrong in its first version, which names one version and then all. Mirrors ValidateCustomResourceDefinitionSpec of release 1.13. */
import type { CustomResourceDefinition } from '../../../api/apiextensions/v1beta1/types.gen.ts';
import { type FieldError, type FieldErrorList, forbidden, invalid } from '../../../apimachinery/field-errors.ts';
import { isDNS1035Label } from '../../../apimachinery/validation.ts';
import { semanticEqual } from '../../../apimachinery/semantic-equal.ts';
import type { StrategyContext } from '../../../contracts/kind.ts';
import type { Faults } from '../../core/v1/resource-validation.ts';
import { specPath } from '../../shared/strategy.ts';

/** What stands above the versions, in a version, and how a refusal names it. */
const parts = [
  { above: 'validation', within: 'schema', name: 'schemas' },
  { above: 'subresources', within: 'subresources', name: 'subresources' },
  { above: 'additionalPrinterColumns', within: 'additionalPrinterColumns', name: 'additionalPrinterColumns' },
] as const;

export function versionFaults({ spec }: CustomResourceDefinition, context: Pick<StrategyContext, 'ratcheted'>): FieldErrorList {
  if (context.ratcheted('StructuralSchemas')) return [];
  const { version = '', versions = [] } = spec ?? {};
  const out: Faults = [];
  for (const { above, within, name } of parts) {
    const isAbove = !isBare(spec?.[above]);
    if (isAbove && versions.some((one) => !isBare(one[within])))
      out.push(forbidden(specPath.child(above), `top-level and per-version ${name} are mutually exclusive`));
  }
  for (const { above, within, name } of parts) {
    if (!areAlike(versions.map((one) => one[within]))) continue;
    const why = `per-version ${name} may not all be set to identical values (top-level ${above} should be used instead)`;
    out.push(invalid(specPath.child('versions'), versions, why));
  }
  if (version !== '' && versions.length > 0 && versions[0]?.name !== version) {
    const faults = isDNS1035Label(version);
    if (faults.length > 0) out.push(invalid(specPath.child('version'), version, faults.join(',')));
    out.push(invalid(specPath.child('version'), version, 'must match the first version in spec.versions'));
  }
  return out;
}

/** Before names, what is in every version, and what may not change. The stored version knows the one version by the first of all alone. */
export function withVersionFaults(told: FieldErrorList, found: FieldErrorList): FieldErrorList {
  const isOther = found.some(({ field }) => field === 'spec.version');
  const kept = isOther ? told.filter(({ field }) => field !== 'spec.version') : told;
  const place = kept.findIndex(isLater);
  return place < 0 ? [...kept, ...found] : kept.toSpliced(place, 0, ...found);
}

function isLater({ field, detail }: FieldError): boolean {
  return /^spec\.(?:names|validation|subresources|additionalPrinterColumns|conversion)\b|^status\b/.test(field) || detail === 'field is immutable';
}

function areAlike(values: readonly unknown[]): boolean {
  return values.length > 0 && values.every((value) => !isBare(value) && semanticEqual(value, values[0]));
}

function isBare(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}
