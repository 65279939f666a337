/**
 * CodeMirror as this page has it: YAML, completion by schema, checks, and every character that does not show itself made visible. Loaded when
 * an editor opens and not before. Its styles live in a shadow root: the page's policy lets no script write styles into the document.
 */
import {
  autocompletion,
  closeBrackets,
  completionKeymap,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { bracketMatching, foldGutter, foldKeymap, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { EditorState, type Extension } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, highlightSpecialChars, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import type { Finding } from './check-text.ts';
import { complete } from './completions.ts';
import { cursorField, keysBeside } from './cursor-path.ts';
import { type KindSchema, typeWords } from './schema.ts';

export interface CodeOptions {
  readonly text: string;
  readonly label: string;
  /** Of the document at a place of the text. */
  schemaAt(position: number): KindSchema | undefined;
  onText(text: string): void;
  /** Ctrl+Enter. */
  onSubmit(): void;
  /** What the field at the cursor is for. */
  onField(words: string): void;
}

export interface Code {
  text(): string;
  setText(text: string): void;
  setFindings(findings: readonly Finding[]): void;
  goTo(line: number): void;
  focus(): void;
  destroy(): void;
}

/** Characters that turn the order of what follows, or stand for nothing that is seen, beside those that CodeMirror shows by itself. */
const unseen = new RegExp(
  String.raw`[\u{115f}\u{1160}\u{17b4}\u{17b5}\u{180e}\u{2000}-\u{200a}\u{200c}\u{200d}\u{202a}-\u{202c}\u{202f}\u{205f}-\u{206f}\u{3000}\u{3164}\u{fe00}-\u{fe0f}\u{ffa0}\u{e0000}-\u{e007f}]`,
  'u',
);

const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--accent)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--good)' },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword], color: 'var(--warning)' },
  { tag: [tags.comment, tags.lineComment], color: 'var(--text-muted)' },
  { tag: [tags.punctuation, tags.separator, tags.bracket], color: 'var(--text-muted)' },
]);

const look = EditorView.theme({
  '&': { height: '100%', fontSize: '12px', color: 'var(--text)', backgroundColor: 'var(--surface)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.5' },
  '.cm-content': { caretColor: 'var(--text)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': { backgroundColor: 'var(--surface-sunken)', color: 'var(--text-muted)', borderRight: '1px solid var(--line)' },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--accent) 7%, transparent)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    background: 'color-mix(in srgb, var(--accent) 26%, transparent) !important',
  },
  '.cm-specialChar': { color: 'var(--danger)', fontWeight: '700', backgroundColor: 'var(--danger-soft)' },
  '.cm-tooltip': { backgroundColor: 'var(--surface-raised)', color: 'var(--text)', border: '1px solid var(--line)', borderRadius: '6px' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--accent-soft)', color: 'var(--text)' },
  '.cm-tooltip .cm-completionDetail': { color: 'var(--text-muted)', fontStyle: 'normal' },
  '.cm-completionInfo': { maxWidth: '300px', fontFamily: 'var(--font)', whiteSpace: 'pre-wrap' },
  '.cm-panels': { backgroundColor: 'var(--surface-raised)', color: 'var(--text)', borderColor: 'var(--line)' },
  '.cm-panel input, .cm-panel button': {
    font: 'inherit',
    color: 'inherit',
    background: 'var(--surface)',
    backgroundImage: 'none',
    border: '1px solid var(--line)',
  },
  '.cm-searchMatch': { backgroundColor: 'var(--warning-soft)' },
  '.cm-diagnostic': { fontFamily: 'var(--font)' },
});

export function openCode(parent: ShadowRoot, options: CodeOptions): Code {
  const view = new EditorView({ parent, root: parent, state: EditorState.create({ doc: options.text, extensions: extensions(options) }) });
  return {
    text: () => view.state.doc.toString(),
    setText: (text) => {
      const { from, to, insert } = differenceOf(view.state.doc.toString(), text);
      view.dispatch({
        changes: { from, to, insert },
        selection: { anchor: from },
        effects: EditorView.scrollIntoView(from, { y: 'start', yMargin: 40 }),
      });
    },
    setFindings: (findings) => {
      const { length } = view.state.doc;
      const inside = (at: number): number => Math.max(0, Math.min(at, length));
      const shown = findings.map(({ from, to, level, text }) => ({ from: inside(from), to: inside(to), severity: level, message: text }));
      view.dispatch(setDiagnostics(view.state, shown));
    },
    goTo: (line) => {
      const { from } = view.state.doc.line(Math.max(1, Math.min(line, view.state.doc.lines)));
      view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: 'center' }) });
      view.focus();
    },
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  };
}

/** The one stretch in which two texts differ: what is put behind comes into sight, and what was written can be undone step by step. */
function differenceOf(before: string, after: string): { readonly from: number; readonly to: number; readonly insert: string } {
  const least = Math.min(before.length, after.length);
  let from = 0;
  while (from < least && before[from] === after[from]) from++;
  let same = 0;
  while (same < least - from && before[before.length - 1 - same] === after[after.length - 1 - same]) same++;
  return { from, to: before.length - same, insert: after.slice(from, after.length - same) };
}

function extensions({ label, schemaAt, onText, onSubmit, onField }: CodeOptions): readonly Extension[] {
  return [
    lineNumbers(),
    foldGutter(),
    history(),
    drawSelection(),
    highlightSpecialChars({ addSpecialChars: unseen }),
    highlightActiveLine(),
    highlightSelectionMatches(),
    indentOnInput(),
    bracketMatching(),
    closeBrackets(),
    yaml(),
    syntaxHighlighting(colours),
    look,
    search({ top: true }),
    lintGutter(),
    autocompletion({ override: [(context) => completionsAt(context, schemaAt)], icons: false }),
    EditorState.tabSize.of(2),
    EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false', tabindex: '0' }),
    keymap.of([
      {
        key: 'Mod-Enter',
        run: () => {
          onSubmit();
          return true;
        },
      },
      ...defaultKeymap,
      ...searchKeymap,
      ...historyKeymap,
      ...foldKeymap,
      ...completionKeymap,
      ...lintKeymap,
    ]),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) onText(update.state.doc.toString());
      if (update.docChanged || update.selectionSet) onField(fieldWords(update.state, schemaAt));
    }),
  ];
}

/** Lines around that are looked at for fields that are there already. */
const linesBesideMax = 500;

function writtenBeside(state: EditorState, position: number, column: number): ReadonlySet<string> {
  const { number } = state.doc.lineAt(position);
  const first = Math.max(1, number - linesBesideMax);
  const last = Math.min(state.doc.lines, number + linesBesideMax);
  const lines = Array.from({ length: last - first + 1 }, (_, index) => state.doc.line(first + index).text);
  return keysBeside(lines, number - first, column);
}

/** Lines above that are looked at for where the cursor stands. */
const linesAboveMax = 3000;

function fieldAt(state: EditorState, position: number) {
  const line = state.doc.lineAt(position);
  const first = Math.max(1, line.number - linesAboveMax);
  const lines: string[] = [];
  for (let number = first; number <= line.number; number++) lines.push(state.doc.line(number).text);
  return cursorField(lines, line.number - first, position - line.from);
}

function completionsAt(context: CompletionContext, schemaAt: CodeOptions['schemaAt']): CompletionResult | null {
  const field = fieldAt(context.state, context.pos);
  const kind = schemaAt(context.pos);
  if (field === undefined || kind === undefined) return null;
  const found = complete(kind, field, writtenBeside(context.state, context.pos, field.column));
  const from = context.pos - (field.inValue ? field.value.length : field.key.length);
  if (found.length === 0 || (!context.explicit && !field.inValue && field.key === '')) return null;
  return { from, options: found.map((one): Completion => ({ ...one })), validFor: /^[\w.]*$/ };
}

function fieldWords(state: EditorState, schemaAt: CodeOptions['schemaAt']): string {
  const { head } = state.selection.main;
  const field = fieldAt(state, state.doc.lineAt(head).to);
  const kind = schemaAt(head);
  const schema = field && field.key !== '' ? kind?.at([...field.parent, field.key]) : undefined;
  return kind && field && schema ? `${field.key}: ${typeWords(kind, schema)}. ${schema.description ?? ''}` : '';
}
