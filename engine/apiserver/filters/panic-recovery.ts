/** A request that hits a defect is answered, and the server goes on. Mirrors WithPanicRecovery of apiserver pkg/server/filters. */
import { text } from '../non-resource.ts';
import { isPostponed } from './fault-injection.ts';
import type { Filter } from './filter.ts';

/** A defect that a request hit while it acted on the state: the door has told history of it. */
export class RecordedPanic extends Error {}

export const panicRecovery: Filter = {
  name: 'panic-recovery',
  handle(exchange, next, tools) {
    try {
      return next(exchange);
    } catch (error) {
      if (isPostponed(error)) throw error;
      if (!(error instanceof RecordedPanic)) tools.onPanic(error, exchange);
      return text(500, 'This request caused apiserver to panic. Look in the logs for details.\n');
    }
  },
};
