/** How people reach the user's own cluster from a shell. */
import { useEffect, useState } from 'react';
import type { ClusterAccess, Settings } from '../../engine/api/sim/v1alpha1/timeline.ts';
import { isAbort, messageOf, request } from './request.ts';

export interface Access {
  /** Null where no file leads to it, undefined until it is known. */
  readonly access: ClusterAccess | null | undefined;
  readonly error: string;
}

export function useAccess(): Access {
  const [state, setState] = useState<Access>({ access: undefined, error: '' });
  useEffect(() => {
    const abort = new AbortController();
    request<Settings>('/apis/sim.wavetank.dev/v1alpha1/settings/cluster', { signal: abort.signal }).then(
      (settings) => setState({ access: settings.access ?? null, error: '' }),
      (error: unknown) => {
        if (!isAbort(error)) setState({ access: undefined, error: messageOf(error) });
      },
    );
    return () => abort.abort();
  }, []);
  return state;
}
