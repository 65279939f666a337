/** What is wrong with a migration of stored versions. Mirrors pkg/apis/storagemigration/validation. */
import type { StorageVersionMigration } from '../../../api/storagemigration/v1beta1/types.gen.ts';
import { type FieldErrorList, invalid, metaPlace, required, root } from '../../../apimachinery/field-errors.ts';
import { immutableText, isDNS1035Label, isDNS1123Subdomain, validateConditions } from '../../../apimachinery/validation.ts';
import { semanticEqual } from '../../../apimachinery/semantic-equal.ts';
import { specPath } from '../../shared/strategy.ts';
import { revisionFault } from './revision.ts';

const resourcePath = specPath.child('resource');
const conditionsPath = root('status', 'conditions');
const revisionPath = root('status', 'resourceVersion');

export function validateMigration({ spec }: StorageVersionMigration): FieldErrorList {
  const { group = '', resource = '' } = spec?.resource ?? {};
  const labels = isDNS1035Label(resource);
  const domains = group === '' ? [] : isDNS1123Subdomain(group);
  return [
    ...(resource === '' ? [required(resourcePath.child('resource'), 'resource is required to be set')] : []),
    ...(resource !== '' && labels.length > 0 ? [invalid(resourcePath.child('resource'), resource, labels.join(','))] : []),
    ...(domains.length > 0 ? [invalid(resourcePath.child('group'), group, domains.join(','))] : []),
  ];
}

export function validateMigrationUpdate(next: StorageVersionMigration, old: StorageVersionMigration): FieldErrorList {
  const isKept = semanticEqual(next.spec, old.spec);
  // Upstream's own type has no name for JSON there.
  return [...validateMigration(next), metaPlace, ...(isKept ? [] : [invalid(specPath, { Resource: next.spec?.resource ?? {} }, immutableText)])];
}

/** What has ended stays so, one way or the other. */
export function validateMigrationStatus(next: StorageVersionMigration, old: StorageVersionMigration): FieldErrorList {
  const { resourceVersion = '', conditions = [] } = next.status ?? {};
  const before = old.status?.resourceVersion ?? '';
  const fault = revisionFault(resourceVersion);
  const wrong = (text: string): FieldErrorList => [invalid(conditionsPath, conditions, text)];
  const [succeeded, failed] = [isTrue(next, 'Succeeded'), isTrue(next, 'Failed')];
  return [
    ...(fault === undefined ? [] : [invalid(revisionPath, resourceVersion, fault)]),
    ...validateConditions(conditions, conditionsPath),
    ...(before !== '' && before !== resourceVersion ? [invalid(revisionPath, resourceVersion, immutableText)] : []),
    ...(succeeded && failed ? wrong('Both success and failed conditions cannot be true at the same time') : []),
    ...(isTrue(old, 'Succeeded') && !succeeded ? wrong('Success condition cannot be set to false once it is true') : []),
    ...(isTrue(old, 'Failed') && !failed ? wrong('Failed condition cannot be set to false once it is true') : []),
  ];
}

function isTrue({ status }: StorageVersionMigration, type: string): boolean {
  return (status?.conditions ?? []).find((condition) => condition.type === type)?.status === 'True';
}
