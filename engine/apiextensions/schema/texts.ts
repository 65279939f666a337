/** Texts against length, pattern and format. Mirrors stringValidator and formatValidator of kube-openapi. */
import { type Findings, faulty, overlong, type Spot, wrongType, wrongValue } from './findings.ts';
import { formatCheck } from './formats.ts';
import type { Structural } from './structural.ts';

/** One entry for each of upstream's validators that has a say; undefined where it finds nothing. */
export function judgeText(text: string, s: Structural, format: string, spot: Spot | undefined): readonly (Findings | undefined)[] {
  const check = format === '' ? undefined : formatCheck(format);
  const first = judgeLetters(text, s, spot);
  if (check === undefined) return [first];
  return [first, check(text) ? undefined : faulty(wrongType(spot, format, text))];
}

/** The first thing wrong is told, no more. */
function judgeLetters(text: string, { limits, pattern }: Structural, spot: Spot | undefined): Findings | undefined {
  const { maxLength, minLength } = limits;
  if (maxLength !== undefined && text.length > maxLength && lengthOf(text) > maxLength) return faulty(overlong(spot, maxLength));
  if (minLength !== undefined && (text.length < minLength || lengthOf(text) < minLength))
    return faulty(wrongValue(spot, text, `should be at least ${minLength} chars long`));
  const mismatch = pattern?.mismatch(text);
  return mismatch === undefined ? undefined : faulty(wrongValue(spot, text, `should match '${mismatch}'`));
}

/** Letters, not code units. */
function lengthOf(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
