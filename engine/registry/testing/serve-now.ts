/** For tests of rooms below the door: one attempt, committed at once. */
import type { Cause } from '../../base/causes.ts';
import type { Attempt, Finish } from '../../contracts/attempt.ts';
import type { Identity } from '../../contracts/request.ts';
import { attempt } from '../attempt.ts';
import type { ResourceRegistry } from '../resource-registry.ts';

export function serveNow<R>({ core }: ResourceRegistry, serve: (attempt: Attempt) => Finish<R>, identity = '', causes: readonly Cause[] = []): R {
  const { store, random, clock } = core.dependencies;
  const { attempt: made, finish } = attempt(store, random, [], serve);
  if (made.changes) made.commit({ virtualMs: clock.nowMs(), identity, causes });
  return finish();
}

/** The same for what speaks HTTP. */
export function enterNow(registry: ResourceRegistry) {
  return <R>(
    { identity }: { readonly identity: Identity },
    _changesState: boolean,
    serve: (attempt: Attempt, causes: readonly Cause[]) => Finish<R>,
  ): R => serveNow(registry, (made) => serve(made, []), identity.name);
}
