/** What is wrong with a candidate for a lease. Mirrors pkg/apis/coordination/validation: LeaseCandidates. */
import type { LeaseCandidate } from '../../../api/coordination/v1beta1/types.gen.ts';
import { type FieldErrorList, invalid, required } from '../../../apimachinery/field-errors.ts';
import { validateImmutableField } from '../../../apimachinery/validation.ts';
import { type CelSemver, compareSemver, parseSemver } from '../../../cel/libraries/semver.ts';
import type { Faults } from '../../core/v1/resource-validation.ts';
import { validateLeaseStrategy } from '../../shared/small-validation.ts';
import { specPath } from '../../shared/strategy.ts';

/** What stands for a version that is absent or cannot be read. */
const noVersion = parseSemver('0.0.0') as CelSemver;

export function validateCandidate({ spec }: LeaseCandidate): FieldErrorList {
  const out: Faults = [];
  const { leaseName = '', emulationVersion = '', binaryVersion = '', strategy = '' } = spec ?? {};
  if (leaseName === '') out.push(required(specPath.child('leaseName')));
  const emulated = versionOf('emulationVersion', emulationVersion, out);
  if (binaryVersion === '') out.push(required(specPath.child('binaryVersion')));
  const built = versionOf('binaryVersion', binaryVersion, out);
  if (binaryVersion !== '' && emulationVersion !== '' && compareSemver(built, emulated) < 0)
    out.push(invalid(specPath.child('binaryVersion'), binaryVersion, 'must be greater than or equal to `emulationVersion`'));
  validateStrategy(strategy, emulated, out);
  return out;
}

export function validateCandidateUpdate(next: LeaseCandidate, old: LeaseCandidate): FieldErrorList {
  return [...validateCandidate(next), ...validateImmutableField(next.spec?.leaseName ?? '', old.spec?.leaseName ?? '', specPath.child('leaseName'))];
}

function versionOf(field: string, text: string, out: Faults): CelSemver {
  const version = parseSemver(text);
  if (text !== '' && version === undefined) out.push(invalid(specPath.child(field), text, 'must be a valid semantic version'));
  return version ?? noVersion;
}

function validateStrategy(strategy: string, emulated: CelSemver, out: Faults): void {
  const path = specPath.child('strategy');
  if (strategy === '') return void out.push(required(path));
  if (strategy === 'OldestEmulationVersion' && compareSemver(emulated, noVersion) === 0)
    out.push(required(specPath.child('emulationVersion'), "must be specified when `strategy` is 'OldestEmulationVersion'"));
  validateLeaseStrategy(strategy, out);
}
