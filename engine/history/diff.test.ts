import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../apimachinery/object.ts';
import { diffObjects } from './diff.ts';

const odd = (status: object): KubeObject => ({ kind: 'Odd', apiVersion: 'example.com/v1', metadata: { name: 'odd' }, status }) as KubeObject;

describe('what changed of an object that others define', () => {
  const cases = ['a text', 7, null, { a: 1 }, [], [null], [7], ['x'], [{}], [{ type: 5, status: true, reason: ['x'] }]];
  for (const value of cases)
    it(`is told where its conditions and containers become ${JSON.stringify(value)}, and back`, () => {
      const [before, after] = [odd({ phase: 'A' }), odd({ phase: 'B', conditions: value, containerStatuses: value })];
      expect(diffObjects(before, after).status).toContain('status.phase: A → B');
      expect(diffObjects(after, before).status).toContain('status.phase: B → A');
      expect(diffObjects(after, odd({ phase: 'B', conditions: [{ type: 'Ready', status: 'True' }] })).conditions).toContain('Ready: True');
    });
});
