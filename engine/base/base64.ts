/** Base64 with padding, as Go's encoding/base64.StdEncoding writes it. */

/** In pieces, because a call takes only so many arguments. */
const pieceBytes = 8192;

export function encodeBase64(bytes: Uint8Array): string {
  let binary = '';
  for (let from = 0; from < bytes.length; from += pieceBytes) binary += String.fromCharCode(...bytes.subarray(from, from + pieceBytes));
  return btoa(binary);
}

/** As tokens and parts of paths have it: two other characters, and nothing at the end. */
export function asBase64Url(base64: string): string {
  return base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** Throws an error of the platform for what is no base64. */
export function decodeBase64(text: string): Uint8Array {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/** The bytes read as UTF-8. */
export function decodeBase64Text(text: string): string {
  return new TextDecoder().decode(decodeBase64(text));
}

/** How many bytes a well-formed text stands for. */
export function base64Size(text: string): number {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  return Math.max(0, (text.length / 4) * 3 - padding);
}
