/** Reads what path and method mean. Mirrors WithRequestInfo of apiserver pkg/endpoints/filters. */
import { parseFieldSelector } from '../../apimachinery/fields.ts';
import { SelectorError } from '../../apimachinery/labels.ts';
import { text } from '../non-resource.ts';
import { readBool } from '../query-options.ts';
import { isCutOff, parseRequestInfo } from '../request-info.ts';
import type { Filter } from './filter.ts';

export const requestInfo: Filter = {
  name: 'request-info',
  handle(exchange, next) {
    const { request, query } = exchange;
    const path = decodePath(request.path);
    if (path === undefined) return text(400, '400 Bad Request');
    if (isCutOff(path)) {
      const url = request.query === '' ? request.path : `${request.path}?${request.query}`;
      const why = `failed to create RequestInfo: unable to determine kind and namespace from url, ${url}`;
      return text(500, withoutMarkup(`Internal Server Error: ${JSON.stringify(url)}: ${why}\n`));
    }
    const fieldSelector = query.get('fieldSelector');
    const name = fieldSelector === null ? undefined : nameOf(fieldSelector);
    const info = parseRequestInfo(request.method, path, readBool(query, 'watch') === true, name);
    exchange.passage.logged?.about(info);
    return next({ ...exchange, path, info });
  },
};

/** As upstream tells errors that no Status says: mirrors InternalError of apiserver pkg/endpoints/handlers/responsewriters/errors.go. */
function withoutMarkup(told: string): string {
  return told.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Undefined for what is not well encoded. */
function decodePath(path: string): string | undefined {
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

/** The name that a selector demands. */
export function nameOf(fieldSelector: string): string | undefined {
  try {
    return parseFieldSelector(fieldSelector).requiresExactMatch('metadata.name');
  } catch (error) {
    if (error instanceof SelectorError) return undefined;
    throw error;
  }
}
