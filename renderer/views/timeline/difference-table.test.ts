import { describe, expect, it } from 'vitest';
import type { Difference, DifferenceStatus } from '../../../engine/api/sim/v1alpha1/change.ts';
import { toTable } from './difference-table.ts';

function aDifference(part: Partial<DifferenceStatus>): Difference {
  const subject = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', name: 'a', uid: 'u', row: 'configmaps/default/a' };
  const status = { from: '', to: '', change: 'Changed', subject, changes: 1, events: 0, warnings: 0, ms: 0, ...part } as DifferenceStatus;
  return { kind: 'Difference', apiVersion: 'v1', metadata: {}, status };
}

describe('the table that is copied', () => {
  it('has a line for each field, and each value in a cell of its own whatever is in it', () => {
    const fields = [
      { path: 'data.a', before: '1\t2\n3', after: '=1+1' },
      { path: 'data.b', after: '-5' },
    ];
    const [head, ...lines] = toTable([aDifference({ fields, actor: 'admin', revision: 7 })]).split('\n');
    const width = head?.split('\t').length;
    expect(lines.map((line) => line.split('\t').length)).toEqual([width, width]);
    expect(lines[0]?.split('\t').slice(4)).toEqual(['a', 'data.a', '1\\t2\\n3', "'=1+1", '1', '0', '0', 'admin', '7']);
    expect(lines[1]?.split('\t').slice(5, 8)).toEqual(['data.b', '', '-5']);
  });

  it('says what history noted, or what an Event said, where there are no fields', () => {
    const table = toTable([aDifference({ facts: ['data.a: 1 → 2'] }), aDifference({ change: 'Events', lastEvent: 'BackOff: again' })]);
    expect(table.split('\n').map((line) => line.split('\t')[5])).toEqual(['field', 'data.a: 1 → 2', 'BackOff: again']);
  });
});
