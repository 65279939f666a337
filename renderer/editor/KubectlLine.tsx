/** The kubectl line that does what is about to be done, to look at and to copy. */
import { Copy } from 'lucide-react';
import { plural } from '../lib/format.ts';
import { shorten } from '../lib/shorten.ts';
import { useNotices } from '../state/notices.ts';
import { texts } from '../texts/texts.ts';
import { Unbroken } from './Unbroken.tsx';

const words = texts.acts;
const shownMax = 1200;
const linesMax = 40;

/** `line` is what is copied, `shown` what is looked at, where that differs (values of Secrets). */
export function KubectlLine({ line, shown = line }: { readonly line: string; readonly shown?: string }) {
  const lines = shown.split('\n');
  const copy = (): void => {
    const { tell } = useNotices.getState();
    navigator.clipboard.writeText(line).then(
      () => tell({ level: 'info', title: words.copied }),
      () => tell({ level: 'error', title: words.copy, detail: words.notCopied }),
    );
  };
  return (
    <div className="kubectl">
      <pre tabIndex={0} aria-label={texts.editor.line}>
        <Unbroken
          text={
            lines
              .slice(0, linesMax)
              .map((one) => shorten(one, shownMax))
              .join('\n') + (lines.length > linesMax ? `\n… ${plural(lines.length - linesMax, 'more line')}` : '')
          }
        />
      </pre>
      <button type="button" className="button icon quiet" aria-label={words.copy} title={words.copy} onClick={copy}>
        <Copy size={13} aria-hidden />
      </button>
    </div>
  );
}
