/** Texts of headers, whose bytes came as one character each. */

/** A mark of byte order is a letter of a name like others: without it the name would be somebody else's. */
export const utf8 = (bytes: Uint8Array): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);

/** Of several headers of one name all count, each of them whole, whatever commas are in it. */
export function headerTexts(header: string | readonly string[] | undefined): readonly string[] {
  if (header === undefined) return [];
  return (typeof header === 'string' ? [header] : header).map(utf8Of);
}

/** As Go reads them: bytes of UTF-8. What holds other characters did not come over a wire, and stays. */
function utf8Of(text: string): string {
  if (!/[\u0080-\u00ff]/.test(text) || /[^\0-\u00ff]/.test(text)) return text;
  return utf8(Uint8Array.from(text, (letter) => letter.charCodeAt(0)));
}
