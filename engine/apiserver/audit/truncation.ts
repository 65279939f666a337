/** Events that are too large for where they go. Mirrors apiserver plugin/pkg/audit/truncate. */
import { type AuditEvent, formats } from './event.ts';

const truncatedKey = 'audit.k8s.io/truncated';
const encoder = new TextEncoder();

/** Bytes of an event as JSON, with the end of its line. */
export function bytesOfLine(line: string): number {
  return encoder.encode(line).length + 1;
}

/** The event, or what is left of it without its objects, if that fits; undefined where even this is too large. */
export function withinBytes(event: AuditEvent, bytesMax: number): AuditEvent | undefined {
  if (fits(event, bytesMax)) return event;
  if (event.level === 'Metadata') return undefined;
  const annotations = new Map(event.annotations).set(truncatedKey, 'true');
  const cut: AuditEvent = { ...event, requestObject: undefined, responseObject: undefined, annotations };
  return fits(cut, bytesMax) ? cut : undefined;
}

function fits(event: AuditEvent, bytesMax: number): boolean {
  return bytesOfLine(formats.json(event)) <= bytesMax;
}
