/** The beginning of an audit trail over HTTP: who asks, from where, for what. */
import type { Identity } from '../../contracts/request.ts';
import { parseIP } from '../../apimachinery/ip.ts';
import type { AuditTrail } from '../audit/trail.ts';
import { headerOf, type HttpRequest } from '../http-types.ts';
import type { Exchange, FilterTools } from './filter.ts';

/** Listeners take connections from this machine alone. */
const peerAddress = '127.0.0.1';

/** Undefined where nothing is audited of it. */
export function beginAudit(
  { request, passage, path, info }: Exchange,
  { auditor }: FilterTools,
  identity: Identity | undefined,
): AuditTrail | undefined {
  return auditor?.begin({
    auditId: passage.auditId,
    requestUri: request.query === '' ? request.path : `${request.path}?${request.query}`,
    sourceIps: sourcesOf(request),
    userAgent: headerOf(request, 'user-agent'),
    receivedMs: auditor.nowMs(),
    identity,
    path,
    info,
  });
}

/** What proxies say, then the peer itself. Mirrors SourceIPs of apimachinery pkg/util/net. */
function sourcesOf(request: HttpRequest): readonly string[] {
  const forwarded = headerOf(request, 'x-forwarded-for').split(',');
  const claimed = [...forwarded, headerOf(request, 'x-real-ip')].map((address) => address.trim()).filter((address) => isAddress(address));
  return [...new Set([...claimed, peerAddress])];
}

function isAddress(text: string): boolean {
  return parseIP(text) !== undefined;
}
