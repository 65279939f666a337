/** What is left of events that are too large, and what becomes of requests whose events are lost for that. */
import { expect, test } from 'vitest';
import { Auditor } from './auditor.ts';
import { type AuditEvent, formats } from './event.ts';
import type { AuditLevel } from './policy.ts';
import { bytesOfLine, withinBytes } from './truncation.ts';

function anEvent(level: AuditLevel, more: Partial<AuditEvent> = {}): AuditEvent {
  return {
    level,
    auditId: 'a',
    stage: 'ResponseComplete',
    requestUri: '/api/v1/configmaps',
    verb: 'create',
    user: { name: 'alice', groups: [] },
    impersonatedUser: undefined,
    impersonationConstraint: '',
    sourceIps: [],
    userAgent: '',
    objectRef: undefined,
    responseStatus: { code: 201 },
    requestObject: undefined,
    responseObject: undefined,
    receivedMs: 0,
    stageMs: 0,
    annotations: new Map([['authorization.k8s.io/decision', 'allow']]),
    ...more,
  };
}

const object = JSON.stringify({ data: { text: 'ä'.repeat(1_000) } });
const bytesOf = (event: AuditEvent): number => bytesOfLine(formats.json(event));

test('an event that fits to the byte is left alone; one byte more takes its objects', () => {
  const event = anEvent('RequestResponse', { requestObject: object, responseObject: object });
  expect(withinBytes(event, bytesOf(event))).toBe(event);
  const cut = withinBytes(event, bytesOf(event) - 1);
  expect(cut).toMatchObject({ requestObject: undefined, responseObject: undefined, responseStatus: { code: 201 } });
  expect([...(cut?.annotations ?? [])]).toEqual([
    ['authorization.k8s.io/decision', 'allow'],
    ['audit.k8s.io/truncated', 'true'],
  ]);
  expect(event.annotations.size).toBe(1);
});

test('an event without objects, or too large without them, is lost, and its request goes on', () => {
  expect(withinBytes(anEvent('Metadata', { requestUri: `/${'x'.repeat(500)}` }), 400)).toBeUndefined();
  const large = anEvent('Request', { requestUri: `/${'x'.repeat(500)}`, requestObject: object });
  expect(withinBytes(large, 400)).toBeUndefined();
  const lines: string[] = [];
  let lost = 0;
  const write = (line: string): boolean => {
    lines.push(line);
    return true;
  };
  const auditor = new Auditor(
    {
      policy: { rules: [] },
      backends: [
        { format: 'json', sink: { write }, eventBytesMax: 400, onTooLarge: () => void lost++ },
        { format: 'json', sink: { write } },
      ],
    },
    () => 0,
  );
  expect(auditor.keep(large)).toBe(true);
  expect([lines.length, lost]).toEqual([1, 1]);
});
