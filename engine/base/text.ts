/**
 * A part of a text that stands for itself. V8 keeps the whole text alive as long as somebody holds a part of it: who keeps a short part
 * of what a caller sent keeps the copy that this makes.
 */
export function ownText(part: string): string {
  // Joining copies, and what comes of it holds on to nothing.
  return part.length < slicedMin ? part : flat([part.slice(0, 1), part.slice(1)]);
}

/** V8 copies shorter parts anyway. */
const slicedMin = 13;

/**
 * One text of its parts. A text made by `+` or by a template keeps its parts, and one object for each, as long as it lives; what is
 * kept by the thousand (keys, names, identities) is made by this instead.
 */
export function flat(parts: readonly string[]): string {
  return parts.join('');
}

/** With its percent escapes read (a part of a header's name, say); what is not escaped as it should be is taken as it stands. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return text;
  }
}

/** Parts of a list with commas; what is blank is none. */
export function partsOf(list: string): readonly string[] {
  return list
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
