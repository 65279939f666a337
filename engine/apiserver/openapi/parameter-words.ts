/**
 * What parameters of requests are for, in upstream's words. They are in no source of ours: the generated client of a package, which is
 * installed, has them as comments. One of its files is read when somebody first asks, and of that a few requests of one kind: upstream
 * says the same of all others.
 */
import { getOwn } from '../../base/dictionary.ts';
import type { ReadTypes } from './descriptions.ts';

const file = '@kubernetes/client-node/dist/gen/types/ObjectParamAPI.d.ts';

/** Requests of pods, services and nodes, by what the client calls them. */
export type WordedRequest =
  | 'ListNamespacedPod'
  | 'CreateNamespacedPod'
  | 'PatchNamespacedPod'
  | 'DeleteNamespacedPod'
  | 'DeleteCollectionNamespacedPod'
  | 'ReadNamespacedPodLog'
  | 'ConnectGetNamespacedPodAttach'
  | 'ConnectGetNamespacedPodExec'
  | 'ConnectGetNamespacedPodPortforward'
  | 'ConnectGetNamespacedPodProxy'
  | 'ConnectGetNamespacedPodProxyWithPath'
  | 'ConnectGetNamespacedServiceProxy'
  | 'ConnectGetNodeProxy';

export class ParameterWords {
  readonly #read: ReadTypes;
  readonly #requests = new Map<WordedRequest, ReadonlyMap<string, string>>();

  constructor(read: ReadTypes) {
    this.#read = read;
  }

  /** Of a parameter by its name; undefined where nothing is said. */
  of(request: WordedRequest, parameter: string): string | undefined {
    let found = this.#requests.get(request);
    if (found === undefined) {
      found = parametersIn(this.#read(file) ?? '', request);
      this.#requests.set(request, found);
    }
    return found.get(parameter);
  }
}

const commented = /\* (?!@)(.+)\n(?:\s+\* (?:Defaults to: |@).*\n)+\s+\*\/\s+_?(\w+)\??:/g;

/** The comments before the parameters of a request. */
export function parametersIn(source: string, request: string): ReadonlyMap<string, string> {
  const start = source.indexOf(`export interface CoreV1Api${request}Request {`);
  if (start < 0) return new Map();
  const block = source.slice(start, source.indexOf('\n}', start));
  return new Map([...block.matchAll(commented)].map(([, text = '', name = '']) => [name, restored(text)]));
}

const entities: { readonly [entity: string]: string } = { '#39': "'", '#x60': '`', '#x3D': '=', quot: '"', amp: '&', lt: '<', gt: '>' };

/** A comment as it was before the client's generator escaped it and put it on one line. */
function restored(comment: string): string {
  const text = comment.replace(/\\?&(#\w+|\w+);/g, (whole, entity: string) => getOwn(entities, entity) ?? whole);
  // An indented line leaves three blanks or five, and four after a blank line.
  const indented = text.replace(/(\S) {4}(?=\S)/g, '$1\n\n  ').replace(/(\S) ( {2}| {4})(?=\S)/g, '$1\n$2');
  if (!indented.includes('\n')) return indented.replace(paragraph, '$1\n\n');
  const [before = '', ...after] = indented.split('\n');
  const rest = after
    .join('\n')
    .replace(/\. - /g, '.\n- ')
    .replace(/(\S) {2}(?=\S)/g, '$1\n\n');
  return `${before.replace(paragraph, '$1\n\n')}\n${rest}`;
}

/** Two blanks after a sentence. Of the log's options alone they were two blanks. */
const paragraph = /([.:]) {2}(?!This will|If the kubelet)(?=[A-Z])/g;
