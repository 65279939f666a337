/** A request that hits a defect is answered, and the server goes on. Mirrors WithPanicRecovery of apiserver pkg/server/filters. */
import { StatusError } from '../../apimachinery/status.ts';
import { text } from '../non-resource.ts';
import type { Exchange, Filter, FilterTools } from './filter.ts';

/** A defect that a request hit while it acted on the state: history knows of it. */
class RecordedPanic extends Error {}

/** Tells of a defect where it happens, inside an input, so that a replay tells the same. */
export function recordingPanics<T>(act: () => T, exchange: Exchange, tools: Pick<FilterTools, 'onPanic'>): T {
  try {
    return act();
  } catch (error) {
    if (error instanceof StatusError) throw error;
    tools.onPanic(error, exchange, true);
    throw new RecordedPanic();
  }
}

export const panicRecovery: Filter = {
  name: 'panic-recovery',
  handle(exchange, next, tools) {
    try {
      return next(exchange);
    } catch (error) {
      if (!(error instanceof RecordedPanic)) tools.onPanic(error, exchange, false);
      return text(500, 'This request caused apiserver to panic. Look in the logs for details.\n');
    }
  },
};
