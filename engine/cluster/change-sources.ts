/** What changes are told of: history, the store's memory of writes, and requests from outside. */
import type { RequestLog } from '../apiserver/requests/request-log.ts';
import type { ChangeSources } from '../history/changes/change.ts';
import type { Cluster } from './cluster.ts';

/** `cluster` is being made: it is asked when somebody asks. */
export function changeSources(cluster: Cluster, requests: Pick<RequestLog, 'newest'>): ChangeSources {
  return {
    recorder: cluster.history,
    nowMs: () => cluster.loop.nowMs(),
    storedChange: (revision) => {
      const change = cluster.store.changeAt(revision);
      if (change === undefined) return undefined;
      const { key, meta, current, previous } = change;
      // What it replaced was freed.
      if (previous === undefined && (current?.version ?? 0) !== 1) return undefined;
      return { key, meta, before: previous?.value, after: current?.value };
    },
    requestOf: (input) => {
      for (const request of requests.newest()) if (request.input === input) return { name: String(request.number), userAgent: request.userAgent };
      return undefined;
    },
  };
}
