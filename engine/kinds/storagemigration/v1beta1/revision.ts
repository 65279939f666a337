/** Revisions as text. Mirrors apimachinery pkg/util/resourceversion. */

/** What is wrong with one; nothing with none. */
export function revisionFault(text: string): string | undefined {
  return text === '' || /^[1-9][0-9]*$/.test(text) ? undefined : `resource version is not well formed: ${text}`;
}
