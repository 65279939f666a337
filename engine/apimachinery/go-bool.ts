/** Texts as Go's strconv.ParseBool reads them. */
const words: ReadonlyMap<string, boolean> = new Map([
  ...['1', 't', 'T', 'TRUE', 'true', 'True'].map((text) => [text, true] as const),
  ...['0', 'f', 'F', 'FALSE', 'false', 'False'].map((text) => [text, false] as const),
]);

/** Undefined for any other text. */
export function goBool(text: string): boolean | undefined {
  return words.get(text);
}
