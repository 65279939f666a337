import { expect, it } from 'vitest';
import { jsonDiff } from './json-diff.ts';

it('shows integers beyond 2^53 as they are', () => {
  expect(jsonDiff({ a: 1n, b: 9223372036854775807n }, { a: 2, b: 9223372036854775807n })).toBe(
    '--- \n+++ \n@@ -1,4 +1,4 @@\n {\n- "a": 1,\n+ "a": 2,\n  "b": 9223372036854775807\n }\n',
  );
});
