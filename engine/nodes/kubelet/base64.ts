/** Base64 text of a Secret as UTF-8 text. */
export function decodeBase64(text: string): string {
  return new TextDecoder().decode(Uint8Array.from(atob(text), (char) => char.charCodeAt(0)));
}
