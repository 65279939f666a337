/** Acts that take a while: until one has come to its end, another press asks for nothing. */
import { useRef, useState } from 'react';

export interface Once {
  readonly busy: boolean;
  /** Does nothing while another is under way. `work` tells its failures itself. */
  once(work: () => Promise<void>): void;
}

export function useOnce(): Once {
  const [busy, setBusy] = useState(false);
  // A second press may come before what the first one changed is drawn.
  const isBusy = useRef(false);
  const once = (work: () => Promise<void>): void => {
    if (isBusy.current) return;
    isBusy.current = true;
    setBusy(true);
    void work().finally(() => {
      isBusy.current = false;
      setBusy(false);
    });
  };
  return { busy, once };
}
