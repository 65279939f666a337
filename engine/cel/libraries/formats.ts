/** Named forms of texts in CEL, `format.dns1123Label().validate(text)` (apiserver pkg/cel/library/format.go). */
import { isDate, isDateTime } from '../../apimachinery/date-text.ts';
import { isQualifiedName, isValidLabelValue } from '../../apimachinery/formats.ts';
import { type NameRule, validateName } from '../../apimachinery/validation.ts';
import { global, member, type Overload, traversalCost } from '../functions.ts';
import { type CelType, listOf, optionalOf, string } from '../types.ts';
import { type CelObject, type CelValue, sizeOf } from '../values.ts';
import { CelOptional } from './optionals.ts';
import { triedCost } from './patterns.ts';
import { parseUrl, UrlError } from './urls.ts';

const formatType: CelType = { kind: 'opaque', name: 'kubernetes.NamedFormat' };

class CelFormat implements CelObject {
  readonly celType = 'kubernetes.NamedFormat';
  readonly name: string;
  /** Of the pattern that upstream looks for, which a cost goes by. */
  readonly patternLength: number;
  readonly faults: (text: string) => readonly string[];

  constructor(name: string, patternLength: number, faults: (text: string) => readonly string[]) {
    this.name = name;
    this.patternLength = patternLength;
    this.faults = faults;
  }

  equals(other: CelValue): boolean {
    return other instanceof CelFormat && other.name === this.name;
  }

  toString(): string {
    return this.name;
  }
}

const nameOf = (rule: NameRule) => (text: string) => validateName(rule, text, false);
/** Of names that are generated. */
const prefixOf = (rule: NameRule) => (text: string) => validateName(rule, text, true);
const matching = (pattern: RegExp, fault: string) => (text: string) => (pattern.test(text) ? [] : [fault]);

function uriFaults(text: string): readonly string[] {
  try {
    parseUrl(text);
    return [];
  } catch (error) {
    if (error instanceof UrlError) return [error.message];
    throw error;
  }
}

const formats: ReadonlyMap<string, CelFormat> = new Map(
  (
    [
      ['dns1123Label', 'DNS1123Label', 30, nameOf('dns1123label')],
      ['dns1123Subdomain', 'DNS1123Subdomain', 60, nameOf('dns1123subdomain')],
      ['dns1035Label', 'DNS1035Label', 30, nameOf('dns1035label')],
      ['qualifiedName', 'QualifiedName', 60, isQualifiedName],
      ['dns1123LabelPrefix', 'DNS1123LabelPrefix', 30, prefixOf('dns1123label')],
      ['dns1123SubdomainPrefix', 'DNS1123SubdomainPrefix', 60, prefixOf('dns1123subdomain')],
      ['dns1035LabelPrefix', 'DNS1035LabelPrefix', 30, prefixOf('dns1035label')],
      ['labelValue', 'LabelValue', 40, isValidLabelValue],
      ['uri', 'URI', 1104, uriFaults],
      ['uuid', 'uuid', 72, matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i, 'does not match the UUID format')],
      ['byte', 'byte', 84, matching(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/, 'invalid base64')],
      ['date', 'date', 72, (text: string) => (isDate(text) ? [] : ['invalid date'])],
      ['datetime', 'datetime', 72, (text: string) => (isDateTime(text) ? [] : ['invalid datetime'])],
    ] as const
  ).map(([key, name, patternLength, faults]) => [key, new CelFormat(name, patternLength, faults)]),
);

function validate(format: CelFormat, text: string): CelOptional {
  const faults = format.faults(text);
  return new CelOptional(faults.length === 0 ? undefined : faults);
}

export const formatFunctions: readonly Overload[] = [
  ...[...formats].map(([key, format]) => global(`format.${key}`, [], formatType, () => format)),
  global('format.named', [string], optionalOf(formatType), (name: string) => new CelOptional(formats.get(name))),
  member('validate', [formatType, string], optionalOf(listOf(string)), validate, {
    cost: ([, size = 0]) => Math.ceil(size * traversalCost) * 60,
    spendByName: ([format, text = null]) => triedCost([sizeOf(text), (format as CelFormat).patternLength]),
  }),
];
