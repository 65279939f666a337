/** Every request has an id, given or drawn, which its answer carries. Mirrors WithAuditInit of apiserver pkg/endpoints/filters. */
import { headerOf } from '../http-types.ts';
import type { Filter } from './filter.ts';

export const auditInit: Filter = {
  name: 'audit-init',
  isGuard: true,
  handle(exchange, next, tools) {
    const { passage, request } = exchange;
    if (passage.auditId === '') passage.auditId = headerOf(request, 'audit-id') || tools.newId();
    const response = next(exchange);
    if ('upgrade' in response) return response;
    return { ...response, headers: { 'audit-id': passage.auditId, ...passage.headers, ...response.headers } };
  },
};
