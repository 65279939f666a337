/**
 * Writes down what callers ask for and what becomes of it. It stands behind authentication, which has its own filter for failures,
 * and before impersonation. Mirrors WithAudit of apiserver pkg/endpoints/filters.
 */
import { StatusError } from '../../apimachinery/status.ts';
import { auditFailure } from '../audit/objects.ts';
import type { AuditTrail } from '../audit/trail.ts';
import type { HttpResponse, HttpStreamResponse } from '../http-types.ts';
import { text } from '../non-resource.ts';
import { Queued } from '../flowcontrol/seats.ts';
import { isLongRunning } from '../request-info.ts';
import { beginAudit } from './begin-audit.ts';
import { isPostponed } from './fault-injection.ts';
import type { Filter } from './filter.ts';

export const audit: Filter = {
  name: 'audit',
  isGuard: true,
  handle(exchange, next, tools) {
    const { passage, identity, info, path } = exchange;
    if (passage.audit === null) passage.audit = beginAudit(exchange, tools, identity);
    const trail = passage.audit;
    if (trail === undefined) return next(exchange);
    for (const [key, value] of Object.entries(passage.remarks?.annotations ?? {})) trail.annotate(key, value);
    const mayGoOn = trail.received();
    if (trail.delivery !== undefined && passage.mayWait) throw new Queued(trail.delivery, () => undefined);
    if (!mayGoOn) return text(500, `Internal Server Error: ${JSON.stringify(path)}: failed to store audit event\n`);
    const isStream = isLongRunning(info);
    try {
      return ended(trail, isStream, next(exchange));
    } catch (error) {
      if (error instanceof StatusError) failed(trail, isStream, error);
      else if (!isPostponed(error)) trail.panicked(error instanceof Error && error.message !== '' ? error.message : 'look in the logs for details');
      throw error;
    }
  },
};

function failed(trail: AuditTrail, isStream: boolean, { status }: StatusError): void {
  auditFailure(trail, status);
  if (isStream) trail.started(status.code);
  trail.completed(status.code);
}

/** What answers at once is over; a stream is when it ends. */
function ended(trail: AuditTrail, isStream: boolean, response: HttpResponse): HttpResponse {
  if ('upgrade' in response) {
    trail.started(101);
    return { ...response, closed: () => trail.completed(101) };
  }
  if (isStream) trail.started(response.status);
  if ('open' in response) return endingLater(trail, response);
  trail.completed(response.status);
  return response;
}

function endingLater(trail: AuditTrail, response: HttpStreamResponse): HttpStreamResponse {
  return {
    ...response,
    open: (sink) => {
      let isOver = false;
      const end = (): void => {
        if (!isOver) trail.completed(response.status);
        isOver = true;
      };
      const close = response.open({
        write: (chunk) => sink.write(chunk),
        isBehind: () => sink.isBehind?.() === true,
        end: () => {
          end();
          sink.end();
        },
      });
      return () => {
        close();
        end();
      };
    },
  };
}
