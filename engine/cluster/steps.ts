/** What the door does with the whole cluster at once. */
import type { HttpResponse } from '../apiserver/http-types.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import type { Store } from '../store/store.ts';
import type { DoorOptions } from './door-options.ts';
import type { RecordedStart, RecordedStep } from './inputs.ts';

/** Reads are outside history: how far back they may look is the host's affair. */
export function leniently(store: Store<KubeObject>, read: () => HttpResponse): HttpResponse {
  const response = store.leniently(read);
  return 'open' in response ? { ...response, open: (sink) => store.leniently(() => response.open(sink)) } : response;
}

/** What the host does to a cluster that is no request. */
export function takeStep({ store, authorizers, manifests }: Pick<DoorOptions, 'store' | 'authorizers' | 'manifests'>, what: RecordedStep): void {
  if ('startAnew' in what) startAnew(store, what);
  else if ('authorization-config' in what.configured) authorizers.use(what.configured['authorization-config']);
  else manifests.use(what.configured['admission-control-config-file']);
}

/** Revisions go on above all that clients have seen, and what is below is expired. */
function startAnew(store: Store<KubeObject>, { startAnew: revision }: RecordedStart): void {
  store.advanceRevisionTo(Math.max(revision, store.currentRevision()) + 1);
  store.compact(store.currentRevision());
  store.expire(store.currentRevision());
}
