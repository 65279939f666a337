/** A command line that breaks between its words only: `--` at the end of a line reads as a word of its own. */

/** Longer ones break anywhere rather than run out of their box. */
const unbrokenMax = 40;

export function Unbroken({ text }: { readonly text: string }) {
  return text.split(/(\s+)/).map((word, index) =>
    word.startsWith('-') && word.length <= unbrokenMax ? (
      <span key={index} className="unbroken">
        {word}
      </span>
    ) : (
      word
    ),
  );
}
