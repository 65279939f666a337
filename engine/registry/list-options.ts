/**
 * Which combinations of list, watch and delete options are refused, in upstream's words. Mirrors apimachinery
 * pkg/apis/meta/internalversion/validation and pkg/apis/meta/v1/validation.
 */
import { newInvalid } from '../apimachinery/errors.ts';
import { forbidden, invalid, notSupported, notSupportedOf, root, type FieldError } from '../apimachinery/field-errors.ts';
import type { DeleteOptions, WatchOptions } from '../contracts/request.ts';
import { checkSelectors } from './selection.ts';

const meta = 'meta.k8s.io';

export function checkListOptions(options: WatchOptions): void {
  const faults: FieldError[] = [];
  const match = options.resourceVersionMatch ?? '';
  const path = root('resourceVersionMatch');
  if (match !== '') {
    if (!options.resourceVersion) faults.push(forbidden(path, 'resourceVersionMatch is forbidden unless resourceVersion is provided'));
    if (options.continue) faults.push(forbidden(path, continuedText));
    if (match !== 'Exact' && match !== 'NotOlderThan') faults.push(notSupportedOf(path, match, ['Exact', 'NotOlderThan', '']));
    if (match === 'Exact' && options.resourceVersion === '0')
      faults.push(forbidden(path, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'));
  }
  if (options.sendInitialEvents !== undefined) faults.push(forbidden(root('sendInitialEvents'), 'sendInitialEvents is forbidden for list'));
  refuse(options, faults);
}

export function checkWatchOptions(options: WatchOptions, hasWatchLists: boolean): void {
  if (options.byPath) return checkListOptions(options);
  const faults: FieldError[] = [];
  const match = options.resourceVersionMatch ?? '';
  const path = root('resourceVersionMatch');
  if (options.sendInitialEvents !== undefined && match !== 'NotOlderThan') {
    faults.push(forbidden(path, 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'));
  }
  if (options.sendInitialEvents !== undefined && !hasWatchLists) faults.push(forbidden(root('sendInitialEvents'), gatedText));
  if (match !== '') {
    if (options.sendInitialEvents === undefined)
      faults.push(forbidden(path, 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided'));
    if (match !== 'NotOlderThan') faults.push(notSupported(path, match, ['NotOlderThan']));
    if (options.continue) faults.push(forbidden(path, continuedText));
  }
  if (options.continue && beginsWithAll(options, hasWatchLists)) faults.push(forbidden(path, continuedText));
  refuse(options, faults);
}

/** What is no selector is told first. Where nothing is wrong besides, who selects tells it. */
function refuse(options: WatchOptions, faults: readonly FieldError[]): void {
  if (faults.length === 0) return;
  checkSelectors(options);
  throw newInvalid({ group: meta, kind: 'ListOptions' }, '', faults);
}

/** Whether a watch that says nothing of it begins with what is there, as one that asks for it. Mirrors SetListOptionsDefaults. */
export function beginsWithAll(options: WatchOptions, hasWatchLists: boolean): boolean {
  const saysNothing = options.sendInitialEvents === undefined && !options.resourceVersionMatch && options.byPath !== true;
  return hasWatchLists && saysNothing && (!options.resourceVersion || options.resourceVersion === '0');
}

const continuedText = 'resourceVersionMatch is forbidden when continue is provided';
const gatedText = 'sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled';
const policies: readonly string[] = ['Foreground', 'Background', 'Orphan'];

const unsafe = 'ignoreStoreReadErrorWithClusterBreakingPotential';
const unsafeGate = 'AllowUnsafeMalformedObjectDeletion';
const alone = ['dryRun', 'propagationPolicy', 'orphanDependents', 'gracePeriodSeconds', 'preconditions'] as const;

interface Gates {
  featureEnabled(gate: string): boolean;
}

/** Whether somebody wants to delete what cannot be read, and may want to. */
export function isUnsafe(options: DeleteOptions, gates: Gates): boolean {
  return options[unsafe] === true && gates.featureEnabled(unsafeGate);
}

/** Every object of ours can be read; a collection is never deleted so. */
export function refuseUnsafe(of: { readonly group: string; readonly kind: string }, name: string, text: string): never {
  throw newInvalid(of, name, [invalid(root(unsafe), true, text)]);
}

export function checkDeleteOptions(options: DeleteOptions, gates: Gates): void {
  const faults: FieldError[] = [];
  const policy = options.propagationPolicy;
  const path = root('propagationPolicy');
  if (options.orphanDependents !== undefined && policy !== undefined) {
    faults.push(invalid(path, policy, 'orphanDependents and deletionPropagation cannot be both set'));
  }
  if (policy !== undefined && !policies.includes(policy)) faults.push(notSupportedOf(path, policy, [...policies, 'nil']));
  if (options.dryRun?.some((value) => value !== 'All') === true) faults.push(notSupported(root('dryRun'), options.dryRun, ['All']));
  if (isUnsafe(options, gates))
    for (const other of alone)
      if (options[other] !== undefined && !(other === 'dryRun' && options.dryRun?.length === 0))
        faults.push(invalid(root(unsafe), true, `cannot be set together with .${other}`));
  if (faults.length > 0) throw newInvalid({ group: meta, kind: 'DeleteOptions' }, '', faults);
}
