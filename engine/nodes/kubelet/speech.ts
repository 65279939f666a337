/** What kubelets of a release say otherwise than those of now: words of events and of statuses, and how their runtime calls containers and images. */
import { assert } from '../../base/assert.ts';
import type { KubeletSpeech } from '../../contracts/release.ts';

/** Who is spoken of, for words that name it where those of now do not. */
export interface Spoken {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly container?: string;
}

const ownRuntime = 'wavetank';

/** Sentences of now, as the release says them. */
export function said(text: string, speech: KubeletSpeech | undefined, spoken: Spoken): string {
  if (speech === undefined) return text;
  const { namespace, name, uid, container = '' } = spoken;
  const facts: Readonly<Record<string, string>> = { namespace, name, container, pod: `${name}_${namespace}(${uid})` };
  return speech.words.reduce((told, [now, then]) => {
    const filled = then.replace(/\{(\w+)\}/g, (whole, key: string) => (facts[key] ?? whole).replaceAll('$', '$$$$'));
    return told.replaceAll(now, filled);
  }, text);
}

export function containerId(id: string, speech: KubeletSpeech | undefined): string {
  assert(id !== '', 'a container that was made has an id');
  return `${speech?.runtime ?? ownRuntime}://${id}`;
}

/** As a node tells it. */
export function runtimeVersion(speech: KubeletSpeech | undefined): string {
  return speech === undefined ? `${ownRuntime}://0.1.0` : `${speech.runtime}://0.1.0-${ownRuntime}`;
}

/** A name with its host, as the runtime shows it. */
export function imageName(full: string, speech: KubeletSpeech | undefined): string {
  return speech === undefined ? full : full.replace(/^docker\.io\/(?:library\/)?/, '');
}

export function imageId(id: string, speech: KubeletSpeech | undefined): string {
  return speech === undefined || id === '' ? id : `${speech.runtime}-pullable://${imageName(id, speech)}`;
}
