/**
 * Field selectors of requests, `metadata.name=x,status.phase!=Running`, with escapes. Mirrors k8s.io/apimachinery pkg/fields. Which
 * fields a kind knows is its own business (`KindDefinition.selectableFields`).
 */
import { SelectorError } from './labels.ts';

export interface FieldRequirement {
  readonly field: string;
  readonly operator: '=' | '!=';
  readonly value: string;
}

/** Requirements that must all hold. Immutable. */
export class FieldSelector {
  readonly requirements: readonly FieldRequirement[];

  constructor(requirements: readonly FieldRequirement[]) {
    this.requirements = requirements;
  }

  isEmpty(): boolean {
    return this.requirements.length === 0;
  }

  /** `get` answers the value of a field; an unknown field is the empty text. */
  matches(get: (field: string) => string): boolean {
    for (const { field, operator, value } of this.requirements) {
      if ((get(field) === value) !== (operator === '=')) return false;
    }
    return true;
  }

  requiresExactMatch(field: string): string | undefined {
    return this.requirements.find((requirement) => requirement.operator === '=' && requirement.field === field)?.value;
  }

  toString(): string {
    return this.requirements.map(({ field, operator, value }) => `${field}${operator}${escapeFieldValue(value)}`).join(',');
  }
}

function escapeFieldValue(value: string): string {
  return value.replace(/[\\,=]/g, (char) => `\\${char}`);
}

function unescapeFieldValue(text: string): string {
  let out = '';
  let escaped = false;
  for (const char of text) {
    if (escaped) {
      if (char !== '\\' && char !== ',' && char !== '=') throw new SelectorError(`invalid field selector: invalid escape sequence: \\${char}`);
      out += char;
      escaped = false;
    } else if (char === '\\') escaped = true;
    // Upstream prints the number of the character, not the character.
    else if (char === ',' || char === '=')
      throw new SelectorError(`invalid field selector: unescaped character in value: ${char.codePointAt(0) ?? 0}`);
    else out += char;
  }
  if (escaped) throw new SelectorError('invalid field selector: invalid escape sequence: \\');
  return out;
}

function splitTerms(text: string): readonly string[] {
  const terms: string[] = [];
  let start = 0;
  let escaped = false;
  for (let index = 0; index < text.length; index++) {
    const char = text.charAt(index);
    if (escaped) escaped = false;
    else if (char === '\\') escaped = true;
    else if (char === ',') {
      terms.push(text.slice(start, index));
      start = index + 1;
    }
  }
  terms.push(text.slice(start));
  return terms;
}

/** Throws SelectorError with upstream's text. */
export function parseFieldSelector(text: string): FieldSelector {
  const requirements: FieldRequirement[] = [];
  for (const term of splitTerms(text).toSorted()) {
    if (term === '') continue;
    const parts = /^([^!=]*(?:!(?!=)[^!=]*)*)(!=|==|=)([^]*)$/.exec(term);
    if (parts === null) throw new SelectorError(`invalid selector: '${text}'; can't understand '${term}'`);
    const [, field = '', operator = '=', value = ''] = parts;
    const wanted = unescapeFieldValue(value);
    // What says nothing asks for everything.
    if (field !== '' || wanted !== '') requirements.push({ field, operator: operator === '!=' ? '!=' : '=', value: wanted });
  }
  return new FieldSelector(requirements);
}
