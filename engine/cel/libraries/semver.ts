/** Semantic versions in CEL (apiserver pkg/cel/library/semverlib.go). */
import { global, member, type Overload, traversalCost, traversed } from '../functions.ts';
import { bool, type CelType, int, string } from '../types.ts';
import { CelError, type CelObject, type CelValue } from '../values.ts';

const semverType: CelType = { kind: 'opaque', name: 'kubernetes.Semver' };

const form =
  /^(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(?:-((?:0|[1-9][0-9]*|[0-9]*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9][0-9]*|[0-9]*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\+[0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*)?$/;

export class CelSemver implements CelObject {
  readonly celType = 'kubernetes.Semver';
  /** Major, minor, patch. */
  readonly numbers: readonly [bigint, bigint, bigint];
  readonly prerelease: readonly string[];

  constructor(numbers: readonly [bigint, bigint, bigint], prerelease: readonly string[]) {
    this.numbers = numbers;
    this.prerelease = prerelease;
  }

  equals(other: CelValue): boolean {
    return other instanceof CelSemver && compareSemver(this, other) === 0;
  }
}

export function parseSemver(text: string): CelSemver | undefined {
  const found = form.exec(text);
  if (found === null) return undefined;
  return new CelSemver([BigInt(found[1] ?? 0), BigInt(found[2] ?? 0), BigInt(found[3] ?? 0)], found[4]?.split('.') ?? []);
}

/** A version before its release is less than the release. */
export function compareSemver(a: CelSemver, b: CelSemver): -1 | 0 | 1 {
  for (const i of [0, 1, 2] as const) if (a.numbers[i] !== b.numbers[i]) return a.numbers[i] < b.numbers[i] ? -1 : 1;
  if (a.prerelease.length === 0 || b.prerelease.length === 0)
    return a.prerelease.length === b.prerelease.length ? 0 : a.prerelease.length === 0 ? 1 : -1;
  for (let i = 0; i < a.prerelease.length && i < b.prerelease.length; i++) {
    const order = comparePart(a.prerelease[i] as string, b.prerelease[i] as string);
    if (order !== 0) return order;
  }
  return a.prerelease.length === b.prerelease.length ? 0 : a.prerelease.length < b.prerelease.length ? -1 : 1;
}

function comparePart(a: string, b: string): -1 | 0 | 1 {
  const [x, y] = [a, b].map((part) => /^[0-9]+$/.test(part));
  if (a === b) return 0;
  if (x === true && y === true) return BigInt(a) < BigInt(b) ? -1 : 1;
  if (x !== y) return x === true ? -1 : 1;
  return a < b ? -1 : 1;
}

/** A leading v, missing numbers and leading zeros are mended. */
function normalized(text: string): string {
  const [, head = '', tail = ''] = /^v?([^-+]*)(.*)$/s.exec(text) ?? [];
  const parts = head.split('.').map((part) => part.replace(/^0+(?=[0-9])/, ''));
  while (parts.length < 3) parts.push('0');
  return parts.join('.') + tail;
}

function mustParse(text: string): CelSemver {
  const found = parseSemver(text);
  if (found === undefined) throw new CelError(faultOf(text));
  return found;
}

/** In the words of github.com/blang/semver. */
function faultOf(text: string): string {
  if (text === '') return 'Version string empty';
  const [, major = '', minor = '', rest = ''] = /^([^.]*)\.([^.]*)\.(.*)$/s.exec(text) ?? [];
  if (!/^[^.]*\.[^.]*\./s.test(text)) return 'No Major.Minor.Patch elements found';
  const [, patch = '', prerelease, build] = /^([^-+]*)(?:-([^+]*))?(?:\+(.*))?$/s.exec(rest) ?? [];
  for (const [name, number] of [
    ['Major', major],
    ['Minor', minor],
    ['Patch', patch],
  ] as const) {
    if (!/^[0-9]*$/.test(number)) return `Invalid character(s) found in ${name.toLowerCase()} number ${JSON.stringify(number)}`;
    if (/^0./.test(number)) return `${name} number must not contain leading zeroes ${JSON.stringify(number)}`;
    if (number === '') return 'strconv.ParseUint: parsing "": invalid syntax';
  }
  for (const part of prerelease?.split('.') ?? []) {
    if (part === '') return 'Prerelease is empty';
    if (/^0[0-9]+$/.test(part)) return `Numeric PreRelease version must not contain leading zeroes ${JSON.stringify(part)}`;
    if (!/^[0-9A-Za-z-]+$/.test(part)) return `Invalid character(s) found in prerelease ${JSON.stringify(part)}`;
  }
  const odd = build?.split('.').find((part) => !/^[0-9A-Za-z-]+$/.test(part)) ?? '';
  return odd === '' ? 'Build meta data is empty' : `Invalid character(s) found in build meta data ${JSON.stringify(odd)}`;
}

const traversal = { cost: ([size = 0]: readonly number[]) => Math.ceil(size * traversalCost), spendByName: traversed() };
const v = semverType;

export const semverFunctions: readonly Overload[] = [
  global('semver', [string], v, mustParse, traversal),
  global('semver', [string, bool], v, (text: string, mends: boolean) => mustParse(mends ? normalized(text) : text), traversal),
  global('isSemver', [string], bool, (text: string) => parseSemver(text) !== undefined, traversal),
  global('isSemver', [string, bool], bool, (text: string, mends: boolean) => parseSemver(mends ? normalized(text) : text) !== undefined, traversal),
  member('isGreaterThan', [v, v], bool, (a: CelSemver, b: CelSemver) => compareSemver(a, b) > 0),
  member('isLessThan', [v, v], bool, (a: CelSemver, b: CelSemver) => compareSemver(a, b) < 0),
  member('compareTo', [v, v], int, (a: CelSemver, b: CelSemver) => BigInt(compareSemver(a, b))),
  member('major', [v], int, ({ numbers }: CelSemver) => numbers[0]),
  member('minor', [v], int, ({ numbers }: CelSemver) => numbers[1]),
  member('patch', [v], int, ({ numbers }: CelSemver) => numbers[2]),
];
