/** What the door does with the whole store at once. */
import type { HttpResponse } from '../apiserver/http-types.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import type { Store } from '../store/store.ts';
import type { RecordedStart } from './inputs.ts';

/** Reads are outside history: how far back they may look is the host's affair. */
export function leniently(store: Store<KubeObject>, read: () => HttpResponse): HttpResponse {
  const response = store.leniently(read);
  return 'open' in response ? { ...response, open: (sink) => store.leniently(() => response.open(sink)) } : response;
}

/** Revisions go on above all that clients have seen, and what is below is expired. */
export function startAnew(store: Store<KubeObject>, { startAnew: revision }: RecordedStart): void {
  store.advanceRevisionTo(Math.max(revision, store.currentRevision()) + 1);
  store.compact(store.currentRevision());
  store.expire(store.currentRevision());
}
