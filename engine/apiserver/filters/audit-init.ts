/**
 * Every request has an id, given or drawn, which its answer carries beside what other filters have to add, in every release but old ones
 * where it is audited alone. Mirrors WithAuditInit of apiserver pkg/endpoints/filters.
 */
import { headerOf } from '../http-types.ts';
import type { Filter } from './filter.ts';

export const auditInit: Filter = {
  name: 'audit-init',
  isGuard: true,
  handle(exchange, next, tools) {
    const { passage, request } = exchange;
    if (passage.auditId === '') passage.auditId = headerOf(request, 'audit-id') || tools.newId();
    const response = next(exchange);
    passage.seat?.release();
    if ('upgrade' in response) return response;
    const { auditId, cacheControl, flowHeaders } = passage;
    const isAudited = passage.audit !== undefined && passage.audit !== null;
    const marks = {
      ...((tools.marksAnswers || isAudited) && { 'audit-id': auditId }),
      ...(cacheControl !== undefined && { 'cache-control': cacheControl }),
    };
    return { ...response, headers: { ...marks, ...flowHeaders, ...response.headers } };
  },
};
