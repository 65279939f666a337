/**
 * Objects that wait for initializers (see `apimachinery/initializers.ts`): who sees them, and what became of one. Mirrors WaitForInitialized of
 * apiserver pkg/registry/generic/registry/store.go and pkg/storage/selection_predicate.go, as they were before 1.14.
 */
import { newInternalError } from '../apimachinery/errors.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import { type Status, StatusError } from '../apimachinery/status.ts';
import type { ListOptions } from '../contracts/request.ts';
import type { Core } from './core.ts';
import type { Selection } from './selection.ts';

export const initializersGate = 'Initializers';

export function isInitialized({ metadata }: KubeObject): boolean {
  return metadata.initializers === undefined;
}

/** Whether objects that are not initialized are kept from who asks so. */
export function hidesUninitialized(core: Pick<Core, 'featureEnabled'>, { includeUninitialized }: Pick<ListOptions, 'includeUninitialized'>): boolean {
  return includeUninitialized !== true && core.featureEnabled(initializersGate);
}

/** What of a selection is initialized. */
export function initializedOnly(selection: Selection): Selection {
  return {
    ...selection,
    everything: false,
    matches: (object) => isInitialized(object) && selection.matches(object),
    matchesStored: (stored) => isInitialized(stored) && selection.matchesStored(stored),
  };
}

/** Whether an object has failed for good, and goes. */
export function hasFailed({ metadata: { initializers } }: KubeObject): boolean {
  return initializers?.result !== undefined;
}

/**
 * What whoever waits for an object hears of a change to it: that it is complete, why it never will be, or nothing yet (undefined). `now`:
 * undefined when it was removed; `before`: what was there until now.
 */
export function outcomeOf(now: KubeObject | undefined, before: KubeObject | undefined): KubeObject | StatusError | undefined {
  const latest = now ?? before;
  const { result } = latest?.metadata.initializers ?? {};
  if (result !== undefined) return new StatusError(refusalOf(result));
  if (now === undefined) return newInternalError('object deleted while waiting for creation');
  return isInitialized(now) ? now : undefined;
}

/** As it leaves the server: see ErrorToAPIStatus of apiserver pkg/endpoints/handlers/responsewriters/status.go. */
function refusalOf({ metadata = {}, status = 'Failure', message, reason, details, code = 500 }: Partial<Status>): Status {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata,
    status,
    ...(message === undefined ? {} : { message }),
    ...(reason === undefined ? {} : { reason }),
    ...(details === undefined ? {} : { details }),
    code: code === 0 ? 500 : code,
  };
}
