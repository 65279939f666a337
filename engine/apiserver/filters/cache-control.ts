/** Answers are nobody's to keep, unless their handler says otherwise. Mirrors WithCacheControl of apiserver pkg/endpoints/filters. */
import type { Filter } from './filter.ts';

export const cacheControl: Filter = {
  name: 'cache-control',
  handle(exchange, next, tools) {
    if (tools.marksAnswers) exchange.passage.cacheControl = 'no-cache, private';
    return next(exchange);
  },
};
