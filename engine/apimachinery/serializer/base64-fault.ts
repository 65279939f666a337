/** Where a text stops being base64, as Go's encoding/base64 counts. */

const allowed = /[A-Za-z0-9+/]/;
const newline = /[\r\n]/;
const groupLength = 4;

/** The index of the byte at which reading ends, of a text with its newlines; undefined where it is read whole. */
export function base64Fault(text: string): number | undefined {
  let inGroup = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (newline.test(char)) continue;
    if (allowed.test(char)) {
      inGroup = (inGroup + 1) % groupLength;
      continue;
    }
    return char === '=' && inGroup >= 2 ? paddingFault(text, at + 1, inGroup) : at;
  }
  return inGroup === 0 ? undefined : text.length - inGroup;
}

/** Of what stands behind the first `=`: another one where two are missing, and then nothing. */
function paddingFault(text: string, from: number, inGroup: number): number | undefined {
  let at = behindNewlines(text, from);
  if (inGroup === 2) {
    if (at === text.length) return at;
    if (text.charAt(at) !== '=') return at - 1;
    at = behindNewlines(text, at + 1);
  }
  return at < text.length ? at : undefined;
}

function behindNewlines(text: string, from: number): number {
  let at = from;
  while (at < text.length && newline.test(text.charAt(at))) at++;
  return at;
}

/** Whether a text without newlines is read whole: most are, and need not be looked at byte by byte. */
export function isBase64(text: string): boolean {
  if (text.length % groupLength !== 0 || /[^A-Za-z0-9+/=]/.test(text)) return false;
  const padding = text.indexOf('=');
  return padding < 0 || padding === text.length - 1 || (padding === text.length - 2 && text.endsWith('=='));
}
