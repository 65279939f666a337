/**
 * Texts that differ by their numbers alone, as a form and numbers:
 *
 *   forms: ['status.readyReplicas: # → #'], texts: ['created', [0, '278 279'], [0, '279 280'], …]
 */
export interface PackedTexts {
  readonly forms: readonly string[];
  readonly texts: readonly (string | readonly [form: number, numbers: string])[];
}

const hole = '#';
const numbersIn = /\d+/g;

export function packTexts(all: readonly string[]): PackedTexts {
  const formOf = (text: string): string => (text.includes(hole) ? '' : text.replace(numbersIn, hole));
  const formed = all.map(formOf);
  const places = new Map<string, number | undefined>();
  for (const form of formed) if (form.includes(hole)) places.set(form, places.has(form) ? 0 : undefined);
  const forms = [...places].flatMap(([form, isShared]) => (isShared === undefined ? [] : [form]));
  forms.forEach((form, place) => places.set(form, place));
  const texts = all.map((text, index) => {
    const place = places.get(formed[index] as string);
    return place === undefined ? text : ([place, (text.match(numbersIn) ?? []).join(' ')] as const);
  });
  return { forms, texts };
}

export function unpackTexts({ forms, texts }: PackedTexts): readonly string[] {
  const split = forms.map((form) => form.split(hole));
  return texts.map((text) => (typeof text === 'string' ? text : filled(split[text[0]] ?? [], text[1].split(' '))));
}

function filled(parts: readonly string[], numbers: readonly string[]): string {
  let text = parts[0] ?? '';
  for (let place = 1; place < parts.length; place++) text += (numbers[place - 1] as string) + (parts[place] as string);
  return text;
}
