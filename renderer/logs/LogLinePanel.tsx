/** One line of a log as a whole, wrapped, to read and to copy. */
import { Copy, X } from 'lucide-react';
import { formatInstant } from '../lib/format.ts';
import { useNotices } from '../state/notices.ts';
import { texts } from '../texts/texts.ts';
import { piecesOf } from './ansi.ts';
import type { LogLine } from './log-lines.ts';
import { Pieces } from './LogList.tsx';

const words = texts.logs;

export function LogLinePanel({ line, onClose }: { readonly line: LogLine; readonly onClose: () => void }) {
  const copy = (): void => {
    const { tell } = useNotices.getState();
    navigator.clipboard.writeText(line.text).then(
      () => tell({ level: 'info', title: words.copied }),
      () => tell({ level: 'error', title: words.copyLine, detail: words.notCopied }),
    );
  };
  return (
    <section className="log-whole" aria-label={words.line}>
      <div className="row">
        <span className="muted dense">{line.atMs === undefined ? words.line : formatInstant(line.atMs, true)}</span>
        <div className="grow" />
        <button type="button" className="button icon quiet" aria-label={words.copyLine} title={words.copyLine} onClick={copy}>
          <Copy size={13} aria-hidden />
        </button>
        <button type="button" className="button icon quiet" aria-label={words.close} title={words.close} onClick={onClose}>
          <X size={13} aria-hidden />
        </button>
      </div>
      <pre tabIndex={0}>
        <Pieces pieces={piecesOf(line.text)} />
        {line.lost > 0 ? <span className="muted">{words.cut(line.lost)}</span> : null}
      </pre>
    </section>
  );
}
