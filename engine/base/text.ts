/**
 * A part of a text that stands for itself. V8 keeps the whole text alive as long as somebody holds a part of it: who keeps a short part
 * of what a caller sent keeps the copy that this makes.
 */
export function ownText(part: string): string {
  // Putting two texts together copies both as soon as somebody looks inside; what is cut off then is one letter.
  return part.length < slicedMin ? part : `.${part}`.slice(1);
}

/** V8 copies shorter parts anyway. */
const slicedMin = 13;
