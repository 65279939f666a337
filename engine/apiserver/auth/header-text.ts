/** Texts of headers, whose bytes came as one character each. */

/** As Go reads them: bytes of UTF-8. What holds other characters did not come over a wire, and stays. */
export function utf8Of(text: string): string {
  if (!/[\u0080-\u00ff]/.test(text) || /[^\0-\u00ff]/.test(text)) return text;
  return new TextDecoder().decode(Uint8Array.from(text, (letter) => letter.charCodeAt(0)));
}
