/**
 * Text that others wrote, safe to draw: what has no shape of its own or turns the reading direction is shown as a sign, and what is long is cut
 * in the middle, because its end often says as much as its beginning.
 */
const hidden = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;
const lineEnds = /[\r\n\t]+/g;

export function shorten(text: string, most: number): string {
  const cut = text.length > most ? `${text.slice(0, Math.ceil(most * 0.7))} … ${text.slice(text.length - Math.floor(most * 0.25))}` : text;
  return cut.replace(lineEnds, ' ').replace(hidden, '�');
}
