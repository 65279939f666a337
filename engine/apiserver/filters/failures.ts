/** Failures become Status objects in the form that the client accepts. Mirrors apiserver pkg/endpoints/handlers/responsewriters. */
import { StatusError } from '../../apimachinery/status.ts';
import type { Filter } from './filter.ts';

export const failures: Filter = {
  name: 'failures',
  handle(exchange, next, tools) {
    try {
      return next(exchange);
    } catch (error) {
      if (error instanceof StatusError) return tools.failure(error, exchange);
      throw error;
    }
  },
};
