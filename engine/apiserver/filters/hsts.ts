/** Tells browsers to come back by TLS alone, as `--strict-transport-security-directives` says. Mirrors WithHSTS of apiserver pkg/server/filters. */
import type { Filter } from './filter.ts';

export const hsts: Filter = {
  name: 'hsts',
  handle(exchange, next, { hstsDirectives }) {
    const response = next(exchange);
    if (hstsDirectives.length === 0 || 'upgrade' in response) return response;
    return { ...response, headers: { ...response.headers, 'strict-transport-security': hstsDirectives.join('; ') } };
  },
};

/** What is wrong with the directives; undefined where they are right. */
export function hstsFault(directives: readonly string[]): string | undefined {
  const isRight = (directive: string): boolean => /^(includeSubDomains|preload|max-age=[^=]*)$/.test(directive);
  return directives.every(isRight) ? undefined : 'max-age=expireTime, includeSubDomains, preload';
}
