import { describe, expect, it } from 'vitest';
import { compileSelector, deviceMatches, type SelectableDevice } from './device.ts';

/** What an expression may begin with, as the real parser lists it. */
const members = "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";

const device: SelectableDevice = {
  driver: 'dra.example.com',
  attributes: {
    model: { string: 'A100' },
    index: { int: 3 },
    ready: { bool: true },
    firmware: { version: '1.10.0' },
    'other.example.com/zone': { string: 'a' },
  },
  capacity: { memory: { value: '40Gi' } },
};

function matches(expression: string): boolean | string {
  const program = compileSelector(expression);
  if ('fault' in program) return program.fault;
  try {
    return deviceMatches(program, device);
  } catch (error) {
    return (error as Error).message;
  }
}

describe('a selector of devices', () => {
  const d = 'device.attributes["dra.example.com"]';
  it.each<[string, boolean | string]>([
    ['true', true],
    ['device.driver == "dra.example.com"', true],
    [`${d}.model == "A100"`, true],
    [`${d}["model"].startsWith("B")`, false],
    [`${d}.ready`, true],
    [`${d}.index > 2 && ${d}.index % 2 == 1`, true],
    [`${d}.index in [1, 2]`, false],
    ['device.attributes["other.example.com"].zone == "a"', true],
    ['"zone" in device.attributes["other.example.com"]', true],
    ['"x" in device.attributes["nowhere.example.com"]', false],
    ['"nowhere.example.com" in device.attributes', true],
    [`has(${d}.nothing)`, false],
    [`cel.bind(dra, ${d}, has(dra.model) && dra.ready)`, true],
    ['device.capacity["dra.example.com"].memory.compareTo(quantity("20Gi")) >= 0', true],
    ['device.capacity["dra.example.com"].memory.isLessThan(quantity("41Gi"))', true],
    [`${d}.firmware.isGreaterThan(semver("1.9.0"))`, true],
    [`${d}.firmware.major() == 1`, true],
    ['device.allowMultipleAllocations ? false : size("héé") == 3', true],
    ['["a", "b"].exists(x, x == "b") && [1, 2].all(x, x > 0) && [1, 2, 3].filter(x, x > 1).map(x, x * 2) == [4, 6]', true],
    [`${d}.nothing == 1`, 'no such key: nothing'],
    [`${d}.nothing == 1 || true`, true],
    ['1 / 0 == 1', 'division by zero'],
    [`${d}.index.startsWith("a")`, 'no such overload'],
    ['[1].all(x, [2, 3].exists(y, y == x)) || r"\\d" == "\\\\d"', true],
    ['1', 'must evaluate to bool or the unknown type, not int'],
    ['nope', "compilation failed: ERROR: <input>:1:1: undeclared reference to 'nope' (in container '')\n | nope\n | ^"],
    ['device.nope == 1', "compilation failed: ERROR: <input>:1:7: undefined field 'nope'\n | device.nope == 1\n | ......^"],
    ['', `compilation failed: ERROR: <input>:1:0: Syntax error: mismatched input '<EOF>' expecting ${members}`],
    ['a ü', "compilation failed: ERROR: <input>:1:3: Syntax error: token recognition error at: 'ü'\n | a ü\n | ..＾"],
    ['!..', "compilation failed: ERROR: <input>:1:3: Syntax error: no viable alternative at input '..'\n | !..\n | ..^"],
    [
      'device.driver == 1',
      "compilation failed: ERROR: <input>:1:15: found no matching overload for '_==_' applied to '(string, int)'\n | device.driver == 1\n | ..............^",
    ],
    [
      `${d}.index.exists(x, x > 0)`,
      `compilation failed: ERROR: <input>:1:37: expression of type 'any' cannot be range of a comprehension (must be list, map, or dynamic)\n | ${d}.index.exists(x, x > 0)\n | ${'.'.repeat(36)}^`,
    ],
    // A line of more than 16 KiB is not shown.
    [
      `nope${' '.repeat(16_380)}`,
      `compilation failed: ERROR: <input>:1:1: undeclared reference to 'nope' (in container '')\n | nope${' '.repeat(16_380)}\n | ^`,
    ],
    [`1 ==\nnope${' '.repeat(16_381)}`, "compilation failed: ERROR: <input>:2:1: undeclared reference to 'nope' (in container '')"],
    ['int("x") == 1', "program instantiation failed: type conversion error from 'string' to 'int'"],
    [`lists.range(2000).all(x, lists.range(2000).all(y, x >= 0))`, 'operation cancelled: actual cost limit exceeded'],
  ])('%s', (expression, wanted) => {
    expect(matches(expression)).toEqual(wanted);
  });

  // From upstream's own table of costs.
  it.each([
    ['device.driver == ""', 2],
    ['device.driver == "dra.example.com"', 4],
    ['"dra.example.com" in device.attributes', 3],
    [`${d}.name`, 4],
    [`cel.bind(dra, ${d}, dra.name)`, 15],
    [`${d}.name > 0`, 5],
    [`${d}.name == "fish"`, 5],
    ['device.attributes["no-such-domain"].noSuchAttr.isGreaterThan(quantity("0"))', 6],
  ])('%s costs %i', (expression, cost) => {
    expect((compileSelector(expression) as { readonly costMax: number }).costMax).toBe(cost);
  });

  it('what loops in loops is stopped', () => {
    const list = `[${Array.from({ length: 100 }, (_, i) => i).join(',')}]`;
    const deep = ['a', 'b', 'c', 'd'].reduceRight((inner, name) => `${list}.all(${name}, ${inner})`, 'true');
    expect(matches(deep)).toBe('operation cancelled: actual cost limit exceeded');
    expect((compileSelector(deep) as { readonly costMax: number }).costMax).toBeGreaterThan(1_000_000);
  });
});
