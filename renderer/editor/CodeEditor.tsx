/** A YAML editor. The code of it is fetched when the first one opens. What is wrong is marked in the text and told below it. */
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { messageOf } from '../api/request.ts';
import { shorten } from '../lib/shorten.ts';
import { fetchWhenHeard } from '../state/heard-again.ts';
import { texts } from '../texts/texts.ts';
import { type Finding, keyOf } from './check-text.ts';
import type { Code, CodeOptions } from './code-mirror.ts';
import { useCheckedText } from './use-checked-text.ts';

const words = texts.editor;
const findingsShown = 4;
const fieldMax = 400;
const none: readonly Finding[] = [];

interface CodeEditorProps {
  readonly text: string;
  readonly label: string;
  readonly onText: (text: string) => void;
  /** Ctrl+Enter. */
  readonly onSubmit: () => void;
  /** What the API server refused of the text as it stands. */
  readonly refusals?: readonly Finding[];
  /** The keyboard is in it when it has opened. */
  readonly focused?: true;
}

export function CodeEditor({ text, label, onText, onSubmit, refusals = none, focused }: CodeEditorProps) {
  const [field, setField] = useState('');
  const host = useRef<HTMLDivElement>(null);
  const { findings: checked, places, schemas, problem } = useCheckedText(text);
  const findings = useMemo(() => [...refusals, ...checked], [refusals, checked]);
  const { code, failure } = useCode(host, {
    text,
    label,
    onText,
    onSubmit,
    onField: setField,
    schemaAt: (position) => {
      const place = places.findLast(({ from }) => from <= position);
      return place && schemas.get(keyOf(place.gvk));
    },
  });
  useEffect(() => code?.setFindings(findings), [code, findings]);
  useEffect(() => {
    if (focused) code?.focus();
  }, [code, focused]);
  useEffect(() => {
    if (code && code.text() !== text) code.setText(text);
  }, [code, text]);
  return (
    <div className="code-editor">
      <div className="code" ref={host} />
      {failure ? <p className="bad dense">{failure}</p> : code ? null : <p className="muted dense">{words.loading}</p>}
      <ul className="code-findings" aria-live="polite">
        {findings.slice(0, findingsShown).map(({ line, text: said, level }, index) => (
          <li key={index}>
            <button type="button" className={`link ${level === 'error' ? 'bad' : 'warn'}`} onClick={() => code?.goTo(line)}>
              {shorten(words.atLine(line, said), fieldMax)}
            </button>
          </li>
        ))}
        {findings.length > findingsShown ? <li className="muted">{words.moreFindings(findings.length - findingsShown)}</li> : null}
      </ul>
      <p className="code-field muted dense" title={shorten(field, fieldMax)}>
        {shorten(field || problem || words.keys, fieldMax)}
      </p>
    </div>
  );
}

/** The editor itself, made once; what it asks for is of the latest rendering. */
function useCode(host: RefObject<HTMLDivElement | null>, options: CodeOptions): { readonly code: Code | undefined; readonly failure: string } {
  const [state, setState] = useState<{ code: Code | undefined; failure: string }>({ code: undefined, failure: '' });
  const latest = useRef(options);
  latest.current = options;
  useEffect(() => {
    const element = host.current;
    if (!element) return undefined;
    let code: Code | undefined;
    let isGone = false;
    fetchWhenHeard(() => import('./code-mirror.ts')).then(
      ({ openCode }) => {
        if (isGone) return;
        code = openCode(element.shadowRoot ?? element.attachShadow({ mode: 'open' }), {
          text: latest.current.text,
          label: latest.current.label,
          onText: (text) => latest.current.onText(text),
          onSubmit: () => latest.current.onSubmit(),
          onField: (words) => latest.current.onField(words),
          schemaAt: (position) => latest.current.schemaAt(position),
        });
        setState({ code, failure: '' });
      },
      (error: unknown) => {
        if (!isGone) setState({ code: undefined, failure: messageOf(error) });
      },
    );
    return () => {
      isGone = true;
      code?.destroy();
      setState({ code: undefined, failure: '' });
    };
  }, [host]);
  return state;
}
