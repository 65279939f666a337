/** What the engine says a fault would do, with the settings in force. */
import { useEffect, useState } from 'react';
import type { FaultTarget } from '../../../engine/api/sim/v1alpha1/fault.ts';
import type { FaultType } from '../../../engine/api/sim/v1alpha1/fault-type.ts';
import { messageOf, request } from '../../api/request.ts';

export interface Said {
  readonly sentence: string;
  /** Why there is none. */
  readonly refusal: string;
}

export function useSentence(
  typesPath: string,
  definition: FaultType | undefined,
  target: FaultTarget,
  words: { readonly [parameter: string]: string },
): Said {
  const [said, setSaid] = useState<Said>({ sentence: '', refusal: '' });
  const query = new URLSearchParams({ ...target, ...words }).toString();
  const name = definition?.metadata.name ?? '';
  useEffect(() => {
    if (name === '') return undefined;
    let isCurrent = true;
    request<FaultType>(`${typesPath}/${name}?${query}`).then(
      ({ sentence, refusal = '' }) => {
        if (isCurrent) setSaid({ sentence, refusal });
      },
      (error: unknown) => {
        if (isCurrent) setSaid({ sentence: '', refusal: messageOf(error) });
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [typesPath, name, query]);
  return said;
}
