/** Nodes that are not ready: kubectl's table goes on to show their pods as their kubelets told of them last. */
import { useMemo } from 'react';
import { useProblems } from './problems.ts';

export function useLostNodes(): ReadonlySet<string> {
  const { problems } = useProblems();
  return useMemo(
    () =>
      new Set(
        problems?.flatMap(({ status: { reason, subject } }) => (reason === 'NodeNotReady' && subject.kind === 'Node' ? [subject.name] : [])) ?? [],
      ),
    [problems],
  );
}
