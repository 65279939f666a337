/** Answers are nobody's to keep, unless their handler says otherwise. Mirrors WithCacheControl of apiserver pkg/endpoints/filters. */
import type { Filter } from './filter.ts';

export const cacheControl: Filter = {
  name: 'cache-control',
  handle(exchange, next) {
    const response = next(exchange);
    if ('upgrade' in response || response.headers['cache-control'] !== undefined) return response;
    return { ...response, headers: { 'cache-control': 'no-cache, private', ...response.headers } };
  },
};
