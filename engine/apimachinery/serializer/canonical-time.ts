/** Reads times in the engine's own text form, which every object carries several of, without pattern or date object. */

/** `2006-01-02T15:04:05Z` has its digits at fixed places, so that no pattern or date object is needed. */
export function isCanonicalTime(text: string): boolean {
  return text.length === 20 && text.charCodeAt(19) === 0x5a && text.charCodeAt(4) === 0x2d;
}

export function canonicalSeconds(text: string): number {
  const two = (at: number): number => (text.charCodeAt(at) - 0x30) * 10 + text.charCodeAt(at + 1) - 0x30;
  const month = two(5);
  // Years that begin in March have their leap day last.
  const year = two(0) * 100 + two(2) - (month <= 2 ? 1 : 0);
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + two(8) - 1;
  const days = year * 365 + Math.floor(year / 4) - Math.floor(year / 100) + Math.floor(year / 400) + dayOfYear - 719_468;
  return days * 86_400 + two(11) * 3600 + two(14) * 60 + two(17);
}
