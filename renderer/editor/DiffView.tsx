/** Lines that would go and come. The sign stands before each, so that colour is not needed to tell them apart. */
import { useMemo } from 'react';
import { shorten } from '../lib/shorten.ts';
import { texts } from '../texts/texts.ts';
import { diffLines } from './line-diff.ts';

const linesMax = 600;
const lineMax = 2000;
const classes = { ' ': '', '-': 'gone', '+': 'come', gap: 'gap' } as const;

export function DiffView({ before, after, label }: { readonly before: string; readonly after: string; readonly label: string }) {
  const lines = useMemo(() => diffLines(before, after), [before, after]);
  return (
    <pre className="diff" tabIndex={0} aria-label={label}>
      {lines.slice(0, linesMax).map(({ sign, text, count }, index) => (
        <div key={index} className={classes[sign]}>
          {sign === 'gap' ? texts.editor.asBefore(count) : `${sign} ${shorten(text, lineMax)}`}
        </div>
      ))}
      {lines.length > linesMax ? <div className="gap">{texts.editor.moreLines(lines.length - linesMax)}</div> : null}
    </pre>
  );
}
