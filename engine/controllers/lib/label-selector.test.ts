import { expect, test } from 'vitest';
import { mapMatcher, toMatcher } from './label-selector.ts';

/** What every object inherits is no label. */
const inherited = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf'];

const own = (key: string, value: string): Record<string, string> => Object.defineProperty({}, key, { value, enumerable: true, configurable: true });

test.each(inherited)('a key called %s is there only where somebody gave it', (key) => {
  const select = (operator: string, values?: readonly string[]): ReturnType<typeof toMatcher> =>
    toMatcher({ matchExpressions: [{ key, operator, ...(values === undefined ? {} : { values }) }] });
  const given = own(key, 'x');
  for (const without of [{}, undefined, { app: 'web' }])
    expect([select('Exists')(without), select('DoesNotExist')(without), select('In', ['x'])(without), select('NotIn', ['x'])(without)]).toEqual([
      false,
      true,
      false,
      true,
    ]);
  expect([select('Exists')(given), select('DoesNotExist')(given), select('In', ['x'])(given), select('NotIn', ['x'])(given)]).toEqual([
    true,
    false,
    true,
    false,
  ]);
  expect([mapMatcher(given)(given), mapMatcher(given)({}), mapMatcher(given)(undefined), toMatcher({ matchLabels: given })({})]).toEqual([
    true,
    false,
    false,
    false,
  ]);
});
