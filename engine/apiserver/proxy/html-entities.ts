/** References to characters in attributes of HTML: those by number, and the names that pages use for what they must not write plainly. */
import { getOwn } from '../../base/dictionary.ts';

const named: { readonly [name: string]: string } = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' };
const charMax = 0x10ffff;

export function unescape(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(amp|lt|gt|quot|apos|nbsp));/gi, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return getOwn(named, name.toLowerCase()) ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
    const isChar = code > 0 && code <= charMax && !(code >= 0xd800 && code <= 0xdfff);
    return isChar ? String.fromCodePoint(code) : whole;
  });
}
