import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../engine/base/json.ts';
import { checkText } from './check-text.ts';
import { shownText } from './editable.ts';

const object = (more: object): JsonObject => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, ...more }) as JsonObject;

describe('an object as text', () => {
  it('means to kubectl, which reads YAML 1.1, what it is', () =>
    expect(shownText(object({ data: { a: 'yes', b: 'off', c: '0644' } }), false, false)).toMatch(/a: "yes"\n +b: "off"\n +c: "0644"/));

  it('has its managed fields when they are asked for', () => {
    const managed = object({ metadata: { name: 'a', managedFields: [{ manager: 'm' }] } });
    expect(shownText(managed, false, false)).not.toContain('managedFields');
    expect(shownText(managed, true, false)).toContain('manager: m');
  });

  it('nested deeper than a stack is JSON, and whoever edits it is told', () => {
    const levels = 3000;
    const deep = object({ spec: JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`) as object });
    const text = shownText(deep, false, false);
    expect(JSON.parse(text)).toEqual(deep);
    const said = new Set(checkText(text, new Map()).findings.map((finding) => finding.text));
    expect([...said]).toEqual(['It is nested deeper than this page can read. Send it with kubectl.']);
  });
});
