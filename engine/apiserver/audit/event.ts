/** One audit event, and its line in the log. Mirrors audit.k8s.io/v1 and apiserver plugin/pkg/audit/log. */
import { goQuote } from '../../apimachinery/quote.ts';
import { encodeJson } from '../../apimachinery/serializer/json.ts';
import type { StatusDetails } from '../../apimachinery/status.ts';
import { formatMicroTime } from '../../apimachinery/time.ts';
import type { Identity } from '../../contracts/request.ts';
import type { AuditLevel, AuditStage } from './policy.ts';

export interface ObjectReference {
  readonly resource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly uid?: string;
  readonly apiGroup?: string;
  readonly apiVersion?: string;
  readonly resourceVersion?: string;
  readonly subresource?: string;
}

/** A Status without its list metadata. */
export interface ResponseStatus {
  readonly status?: string;
  readonly message?: string;
  readonly reason?: string;
  readonly details?: StatusDetails;
  readonly code?: number;
}

export interface AuditEvent {
  readonly level: AuditLevel;
  readonly auditId: string;
  readonly stage: AuditStage;
  readonly requestUri: string;
  readonly verb: string;
  readonly user: Identity | undefined;
  readonly impersonatedUser: Identity | undefined;
  /** The verb that allowed it for this request alone; empty where there was none. */
  readonly impersonationConstraint: string;
  readonly sourceIps: readonly string[];
  readonly userAgent: string;
  readonly objectRef: ObjectReference | undefined;
  readonly responseStatus: ResponseStatus | undefined;
  /** JSON, as it stands in the line. */
  readonly requestObject: string | undefined;
  readonly responseObject: string | undefined;
  /** Virtual time. */
  readonly receivedMs: number;
  readonly stageMs: number;
  readonly annotations: ReadonlyMap<string, string>;
}

/** The event as one of a lower level would be; undefined at the lowest. Mirrors EnforcePolicy of apiserver pkg/audit/policy. */
export function atLevel(event: AuditEvent, level: AuditLevel): AuditEvent | undefined {
  if (level === 'None') return undefined;
  return {
    ...event,
    level,
    requestObject: level === 'Metadata' ? undefined : event.requestObject,
    responseObject: level === 'RequestResponse' ? event.responseObject : undefined,
  };
}

export type AuditFormat = 'json' | 'legacy';

export const formats: { readonly [format in AuditFormat]: (event: AuditEvent) => string } = { json: formatJson, legacy: formatLegacy };

/** How a line of JSON begins. */
export const eventHead = '{"kind":"Event","apiVersion":"audit.k8s.io/v1",';

/** One line without its end. */
function formatJson(event: AuditEvent): string {
  const { requestObject, responseObject, annotations, responseStatus } = event;
  const head = encodeJson({
    kind: 'Event',
    apiVersion: 'audit.k8s.io/v1',
    level: event.level,
    auditID: event.auditId,
    stage: event.stage,
    requestURI: event.requestUri,
    verb: event.verb,
    user: userOf(event.user),
    ...(event.impersonatedUser && { impersonatedUser: userOf(event.impersonatedUser) }),
    ...(event.impersonationConstraint !== '' && { authenticationMetadata: { impersonationConstraint: event.impersonationConstraint } }),
    ...(event.sourceIps.length > 0 && { sourceIPs: event.sourceIps }),
    ...(event.userAgent !== '' && { userAgent: event.userAgent }),
    ...(event.objectRef && { objectRef: event.objectRef }),
    ...(responseStatus && { responseStatus: { metadata: {}, ...responseStatus } }),
  });
  const tail = encodeJson({
    requestReceivedTimestamp: formatMicroTime(event.receivedMs),
    stageTimestamp: formatMicroTime(event.stageMs),
    ...(annotations.size > 0 && { annotations: Object.fromEntries([...annotations].sort(([a], [b]) => (a < b ? -1 : 1))) }),
  });
  const request = requestObject === undefined ? '' : `"requestObject":${requestObject},`;
  const response = responseObject === undefined ? '' : `"responseObject":${responseObject},`;
  return `${head.slice(0, -1)},${request}${response}${tail.slice(1)}`;
}

function userOf(identity: Identity | undefined): object {
  if (identity === undefined) return {};
  const { name, uid, groups, extra } = identity;
  return { username: name, ...(uid && { uid }), ...(groups.length > 0 && { groups }), ...(extra && { extra }) };
}

/** Upstream's form for people, in the order of its fields. */
function formatLegacy(event: AuditEvent): string {
  const { user, impersonatedUser } = event;
  const fields = {
    id: event.auditId,
    stage: event.stage,
    ip: event.sourceIps[0] ?? '<unknown>',
    method: event.verb,
    user: user?.name || '<none>',
    groups: listOf(user?.groups) ?? '<none>',
    as: impersonatedUser?.name ?? '<self>',
    asgroups: impersonatedUser === undefined ? '<lookup>' : (listOf(impersonatedUser.groups) ?? '<lookup>'),
    'user-agent': event.userAgent,
    namespace: event.objectRef?.namespace || '<none>',
    uri: event.requestUri,
    response: event.responseStatus?.code === undefined ? '<deferred>' : String(event.responseStatus.code),
  };
  // Go leaves out the zeros at the end of a fraction.
  const time = formatMicroTime(event.stageMs).replace(/\.?0*Z$/, 'Z');
  return `${time} AUDIT: ${Object.entries(fields)
    .map(([name, value]) => `${name}=${goQuote(value)}`)
    .join(' ')}`;
}

function listOf(groups: readonly string[] | undefined): string | undefined {
  return groups === undefined || groups.length === 0 ? undefined : groups.map(goQuote).join(',');
}
