import { expect, test } from 'vitest';
import { compare, type Seen, seen } from './compare.ts';
import { openOf } from './decisions.ts';

const answer = (body: Seen['body'], code = 200): Seen => ({ code, type: 'application/json', warnings: [], retryAfter: '', body });
const table = (description: string, cell: string): Seen =>
  answer({ kind: 'Table', columnDefinitions: [{ name: 'Node', description }], rows: [{ cells: [cell] }] });
const judge = (kind: string, real: Seen, ours: Seen): ReturnType<typeof openOf> => openOf({ kind, real, ours, differences: compare(real, ours) });

test('what columns are for is to be mended', () => {
  expect(judge('v1 Pod', table('Said by a field.', '1'), table('In other words.', '1'))).toMatchObject({ decided: [], differences: [{}] });
});

test('of refusals the code must be the same', () => {
  const router = '406: Not Acceptable\n\nAvailable representations: application/json';
  const told = 'an Accept that fits nothing';
  const ours = answer({ kind: 'Status', message: 'only the following media types are accepted: application/json' }, 406);
  expect(judge('v1 Pod', answer(router, 406), ours).decided).toEqual([told]);
  expect(judge('v1 Pod', answer(router, 406), answer({}, 200)).decided).toEqual([]);
});

test('a watch that began too long ago for one side is told of', () => {
  const gone = [{ type: 'ERROR', object: { kind: 'Status', message: 'too old resource version: 1 (800)', code: 410 } }];
  expect(judge('v1 Pod', answer(gone, 200), answer([], 200)).decided).toEqual(['how long the cache of a kind remembers']);
  expect(judge('v1 Pod', answer([], 200), answer(gone, 200)).decided).toEqual([]);
});

test('managers within a text may stand in any order, and nothing else may', () => {
  const shown = (...managers: readonly string[]): string =>
    JSON.stringify({ metadata: { managedFields: managers.map((manager) => ({ manager, operation: 'Update' })) } });
  const asked = { method: 'PATCH', path: '/p', query: '', type: '', accept: '' };
  const told = (text: string): Seen => {
    const body = { kind: 'Status', message: `patch: Invalid value: ${JSON.stringify(text)}: json` };
    return seen({ code: 422, headers: { 'content-type': 'application/json' }, text: JSON.stringify(body) }, asked);
  };
  expect(compare(told(shown('one', 'diff')), told(shown('diff', 'one')))).toEqual([]);
  expect(compare(told(shown('one', 'diff')), told(shown('diff', 'two')))).toHaveLength(1);
});

test('what does not fit its type may be told in any order, and of an undeclared field no more than that there is one', () => {
  const told = (...lines: readonly string[]): Seen => {
    const start = 'failed to create typed patch object (/a; /v1, Kind=Namespace): ';
    const message = lines.length === 1 ? start + lines[0] : `${start}errors:${lines.map((line) => `\n  ${line}`).join('')}`;
    return seen(
      { code: 500, headers: { 'content-type': 'application/json' }, text: JSON.stringify({ kind: 'Status', message }) },
      { method: 'PATCH', path: '/p', query: '', type: '', accept: '' },
    );
  };
  const [undeclared, label] = ['.metadata.zzz: field not declared in schema', '.metadata.labels.a: expected string, got &{1}'];
  const spec = '.spec.finalizers: expected list, got &{\n1}';
  expect(compare(told(undeclared, spec), told(spec, label, '.metadata.y: field not declared in schema'))).toEqual([]);
  expect(compare(told(label, spec), told(spec, label))).toEqual([]);
  expect(compare(told(undeclared), told(label))).toHaveLength(1);
  expect(compare(told(undeclared, spec), told(undeclared))).toHaveLength(1);
});
