/** A sentence of the catalogue, with what is code in it as code. */
import type { Sentence } from '../texts/sentence.ts';

export function Told({ parts }: { readonly parts: Sentence }) {
  return <>{parts.map((part, place) => (typeof part === 'string' ? part : <code key={place}>{part.code}</code>))}</>;
}
