/** Validation of priority levels. Mirrors kubernetes pkg/apis/flowcontrol/validation. */
import type {
  ExemptPriorityLevelConfiguration,
  LimitedPriorityLevelConfiguration,
  LimitResponse,
  PriorityLevelConfiguration,
  PriorityLevelConfigurationSpec,
  QueuingConfiguration,
} from '../../../api/flowcontrol/v1/types.gen.ts';
import { semanticEqual } from '../../../apimachinery/semantic-equal.ts';
import { type FieldErrorList, type FieldPath, forbidden, invalid, notSupported, required, root } from '../../../apimachinery/field-errors.ts';
import { conditionFaults } from './condition-validation.ts';
import { asInternalLevelSpec } from './internal-form.ts';
import { exemptName, mandatoryLevels } from './mandatory.ts';

const queuesMax = 10_000_000;
const entropyBitsMax = 60;

export function validatePriorityLevel({
  metadata: { name = '' },
  spec = {} as PriorityLevelConfigurationSpec,
  status,
}: PriorityLevelConfiguration): FieldErrorList {
  return [...specFaults(spec, name, root('spec')), ...fixedFaults(spec, name, root('spec')), ...validatePriorityLevelStatus({ status })];
}

/** Of `exempt` the shares are the user's. */
export function validatePriorityLevelStatus({ status }: { readonly status?: PriorityLevelConfiguration['status'] | undefined }): FieldErrorList {
  return conditionFaults(status?.conditions ?? [], root('status', 'conditions'));
}

function fixedFaults(spec: PriorityLevelConfigurationSpec, name: string, path: FieldPath): FieldErrorList {
  const fixed = mandatoryLevels.find((level) => level.metadata.name === name)?.spec;
  if (fixed === undefined) return [];
  const isExempt = name === exemptName;
  const { exempt: _, ...rest } = spec;
  const { exempt: _fixed, ...fixedRest } = fixed;
  if (isExempt ? semanticEqual(rest, fixedRest) : semanticEqual(spec, fixed)) return [];
  const what = isExempt
    ? `spec of '${name}' except the 'spec.exempt' field must equal the fixed value`
    : `spec of '${name}' must equal the fixed value`;
  return [invalid(path, asInternalLevelSpec(spec), what)];
}

function specFaults({ type = '', limited, exempt }: PriorityLevelConfigurationSpec, name: string, path: FieldPath): FieldErrorList {
  const isMisplaced = (name === exemptName) !== (type === 'Exempt');
  const misplaced = isMisplaced ? [invalid(path.child('type'), type, "must be 'Exempt' if and only if `name` is 'exempt'")] : [];
  switch (type) {
    case 'Exempt':
      return [
        ...misplaced,
        ...(limited === undefined ? [] : [forbidden(path.child('limited'), 'must be nil if the type is not Limited')]),
        ...(exempt === undefined ? [] : exemptFaults(exempt, path.child('exempt'))),
      ];
    case 'Limited':
      return [
        ...misplaced,
        ...(exempt === undefined ? [] : [forbidden(path.child('exempt'), 'must be nil if the type is Limited')]),
        ...(limited === undefined
          ? [required(path.child('limited'), 'must not be empty when type is Limited')]
          : limitedFaults(limited, path.child('limited'))),
      ];
    case '':
      return [...misplaced, required(path.child('type'))];
    default:
      return [...misplaced, notSupported(path.child('type'), type, ['Exempt', 'Limited'])];
  }
}

function exemptFaults({ nominalConcurrencyShares = 0, lendablePercent = 0 }: ExemptPriorityLevelConfiguration, path: FieldPath): FieldErrorList {
  return [...shareFaults(nominalConcurrencyShares, path), ...lendableFaults(lendablePercent, path)];
}

function limitedFaults(limited: LimitedPriorityLevelConfiguration, path: FieldPath): FieldErrorList {
  const { nominalConcurrencyShares = 0, lendablePercent = 0, borrowingLimitPercent, limitResponse } = limited;
  const isBad = borrowingLimitPercent !== undefined && borrowingLimitPercent < 0;
  return [
    ...shareFaults(nominalConcurrencyShares, path),
    ...responseFaults(limitResponse ?? {}, path.child('limitResponse')),
    ...lendableFaults(lendablePercent, path),
    ...(isBad ? [invalid(path.child('borrowingLimitPercent'), borrowingLimitPercent, 'if specified, must be a non-negative integer')] : []),
  ];
}

function shareFaults(given: number | null, path: FieldPath): FieldErrorList {
  const shares = given ?? 0;
  return shares < 0 ? [invalid(path.child('nominalConcurrencyShares'), shares, 'must be a non-negative integer')] : [];
}

function lendableFaults(percent: number, path: FieldPath): FieldErrorList {
  return percent < 0 || percent > 100 ? [invalid(path.child('lendablePercent'), percent, 'must be between 0 and 100, inclusive')] : [];
}

function responseFaults({ type = '', queuing }: Partial<LimitResponse>, path: FieldPath): FieldErrorList {
  switch (type) {
    case 'Reject':
      return queuing === undefined ? [] : [forbidden(path.child('queuing'), 'must be nil if limited.limitResponse.type is not Limited')];
    case 'Queue':
      if (queuing === undefined) return [required(path.child('queuing'), 'must not be empty if limited.limitResponse.type is Limited')];
      return queuingFaults(queuing, path.child('queuing'));
    case '':
      return [required(path.child('type'))];
    default:
      return [notSupported(path.child('type'), type, ['Queue', 'Reject'])];
  }
}

function queuingFaults({ queueLengthLimit = 0, queues = 0, handSize = 0 }: QueuingConfiguration, path: FieldPath): FieldErrorList {
  return [
    ...(queueLengthLimit <= 0 ? [invalid(path.child('queueLengthLimit'), queueLengthLimit, 'must be positive')] : []),
    ...(queues <= 0 ? [invalid(path.child('queues'), queues, 'must be positive')] : []),
    ...(queues > queuesMax ? [invalid(path.child('queues'), queues, `must not be greater than ${queuesMax}`)] : []),
    ...handFaults(queues, handSize, path.child('handSize')),
  ];
}

/** A hand is drawn from 60 bits of a hash. */
function handFaults(queues: number, handSize: number, path: FieldPath): FieldErrorList {
  if (handSize <= 0) return [invalid(path, handSize, 'must be positive')];
  if (handSize > queues) return [invalid(path, handSize, `should not be greater than queues (${queues})`)];
  if (queues === 1 || (handSize <= entropyBitsMax && BigInt(queues) ** BigInt(handSize) <= 1n << BigInt(entropyBitsMax))) return [];
  const detail = `required entropy bits of deckSize ${queues} and handSize ${handSize} should not be greater than ${entropyBitsMax}`;
  return [invalid(path, handSize, detail)];
}
