/**
 * Requests that are refused before anybody knows who asks: one event, without a user. Mirrors WithFailedAuthenticationAudit and the
 * failures of WithRequestDeadline of apiserver pkg/endpoints/filters.
 */
import { StatusError } from '../../apimachinery/status.ts';
import { auditFailure } from '../audit/objects.ts';
import { beginAudit } from './begin-audit.ts';
import type { Filter } from './filter.ts';

export const failedRequestAudit: Filter = {
  name: 'failed-request-audit',
  isGuard: true,
  handle(exchange, next, tools) {
    const { passage } = exchange;
    try {
      return next(exchange);
    } catch (error) {
      if (error instanceof StatusError && passage.audit === null) {
        const trail = beginAudit(exchange, tools, undefined);
        passage.audit = undefined;
        if (trail !== undefined) {
          auditFailure(trail, error.status);
          trail.started(error.status.code);
          passage.refusalDelivery = trail.delivery;
        }
      }
      throw error;
    }
  },
};
