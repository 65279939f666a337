/** What does the same in a shell: objects with names are applied, those whose names the API server makes are created, which apply refuses. */
import { type Manifest, checkText } from '../../editor/check-text.ts';
import { namesSecret } from '../../editor/editable.ts';
import { fieldManager } from '../../editor/send.ts';

export interface Lines {
  readonly line: string;
  /** As it is looked at: without values of Secrets. */
  readonly shown: string;
}

export interface LineOptions {
  readonly force: boolean;
  /** The release knows server-side apply. */
  readonly servesApply: boolean;
}

export function kubectlLine(text: string, { force, servesApply }: LineOptions): Lines {
  const { manifests } = checkText(text, new Map());
  const unnamed = manifests.filter(({ name }) => name === '');
  const named = manifests.filter(({ name }) => name !== '');
  const apply = servesApply ? `kubectl apply --server-side --field-manager=${fieldManager}${force ? ' --force-conflicts' : ''}` : 'kubectl apply';
  const create = `kubectl create --field-manager=${fieldManager}`;
  if (unnamed.length === 0) return withText(apply, text);
  if (named.length === 0) return withText(create, text);
  const [first, second] = [withText(apply, joined(named)), withText(create, joined(unnamed))];
  return { line: `${first.line}\n${second.line}`, shown: `${first.shown}\n${second.shown}` };
}

function joined(manifests: readonly Manifest[]): string {
  return manifests.map(({ text }) => text.replace(/^---\n/, '').trimEnd()).join('\n---\n');
}

function withText(command: string, text: string): Lines {
  const [head, end] = [`${command} -f - <<'${endOf(text)}'`, endOf(text)];
  const line = `${head}\n${text.trimEnd()}\n${end}`;
  return { line, shown: namesSecret(text) ? `${head}\n…\n${end}` : line };
}

/** A text that ends the here-document too early would be read as commands. */
function endOf(text: string): string {
  let end = 'EOF';
  while (text.split('\n').includes(end)) end += '_';
  return end;
}
