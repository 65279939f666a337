/**
 * Which combinations of list, watch and delete options are refused, in upstream's words. Mirrors apimachinery
 * pkg/apis/meta/internalversion/validation and pkg/apis/meta/v1/validation.
 */
import { newInvalid } from '../apimachinery/errors.ts';
import { forbidden, invalid, notSupported, notSupportedOf, root, type FieldError } from '../apimachinery/field-errors.ts';
import type { DeleteOptions, WatchOptions } from '../contracts/request.ts';

const meta = 'meta.k8s.io';

export function checkListOptions(options: WatchOptions): void {
  const faults: FieldError[] = [];
  const match = options.resourceVersionMatch ?? '';
  const path = root('resourceVersionMatch');
  if (match !== '') {
    if (!options.resourceVersion) faults.push(forbidden(path, 'resourceVersionMatch is forbidden unless resourceVersion is provided'));
    if (options.continue) faults.push(forbidden(path, 'resourceVersionMatch is forbidden when continue is provided'));
    if (match !== 'Exact' && match !== 'NotOlderThan') faults.push(notSupportedOf(path, match, ['Exact', 'NotOlderThan', '']));
    if (match === 'Exact' && options.resourceVersion === '0')
      faults.push(forbidden(path, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'));
  }
  if (options.sendInitialEvents !== undefined) faults.push(forbidden(root('sendInitialEvents'), 'sendInitialEvents is forbidden for list'));
  if (faults.length > 0) throw newInvalid({ group: meta, kind: 'ListOptions' }, '', faults);
}

export function checkWatchOptions(options: WatchOptions): void {
  const faults: FieldError[] = [];
  const match = options.resourceVersionMatch ?? '';
  const path = root('resourceVersionMatch');
  if (options.sendInitialEvents !== undefined && match !== 'NotOlderThan') {
    faults.push(forbidden(path, 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'));
  }
  if (match !== '') {
    if (options.sendInitialEvents === undefined)
      faults.push(forbidden(path, 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided'));
    if (match !== 'NotOlderThan') faults.push(notSupported(path, match, ['NotOlderThan']));
    if (options.continue) faults.push(forbidden(path, 'resourceVersionMatch is forbidden when continue is provided'));
  }
  if (faults.length > 0) throw newInvalid({ group: meta, kind: 'ListOptions' }, '', faults);
}

const policies: readonly string[] = ['Foreground', 'Background', 'Orphan'];

export function checkDeleteOptions(options: DeleteOptions): void {
  const faults: FieldError[] = [];
  const policy = options.propagationPolicy;
  const path = root('propagationPolicy');
  if (options.orphanDependents !== undefined && policy !== undefined) {
    faults.push(invalid(path, policy, 'orphanDependents and deletionPropagation cannot be both set'));
  }
  if (policy !== undefined && !policies.includes(policy)) faults.push(notSupportedOf(path, policy, [...policies, 'nil']));
  if (options.dryRun?.some((value) => value !== 'All') === true) faults.push(notSupported(root('dryRun'), options.dryRun, ['All']));
  if (faults.length > 0) throw newInvalid({ group: meta, kind: 'DeleteOptions' }, '', faults);
}
