/** Base64 of bytes, and how many bytes a text in base64 has. Mirrors Go's encoding/base64.StdEncoding. */
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

export function encodeBase64(bytes: Uint8Array): string {
  let out = '';
  for (let index = 0; index < bytes.length; index += 3) {
    const left = bytes.length - index;
    const group = ((bytes[index] ?? 0) << 16) | ((bytes[index + 1] ?? 0) << 8) | (bytes[index + 2] ?? 0);
    out += alphabet.charAt(group >> 18) + alphabet.charAt((group >> 12) & 63);
    out += left > 1 ? alphabet.charAt((group >> 6) & 63) : '=';
    out += left > 2 ? alphabet.charAt(group & 63) : '=';
  }
  return out;
}

export function base64Size(text: string): number {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  return Math.max(0, (text.length / 4) * 3 - padding);
}
