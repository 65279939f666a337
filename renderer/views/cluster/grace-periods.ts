/** How long a silent node is believed, and how long its pods are tolerated after: from the settings in force, counted down for people to see. */
import { useCallback, useEffect, useState } from 'react';
import type { Fault } from '../../../engine/api/sim/v1alpha1/fault.ts';
import type { Settings } from '../../../engine/api/sim/v1alpha1/timeline.ts';
import type { NodeRow } from '../../../engine/component-helpers/page-rows.ts';
import { request } from '../../api/request.ts';
import { formatDuration, parseDuration } from '../../lib/format.ts';
import type { Countdown } from './paint-cluster.ts';

const graceDefaultMs = 50_000;
const evictionDefaultMs = 300_000;

export function useGracePeriods(faults: readonly Fault[], nowMs: number) {
  const [periods, setPeriods] = useState({ graceMs: graceDefaultMs, evictionMs: evictionDefaultMs });
  useEffect(() => {
    request<Settings>('/apis/sim.wavetank.dev/v1alpha1/settings/cluster').then(
      ({ options }) =>
        setPeriods({
          graceMs: parseDuration(String(options['node-monitor-grace-period'] ?? '')) || graceDefaultMs,
          evictionMs: Number(options['default-unreachable-toleration-seconds'] ?? 0) * 1000 || evictionDefaultMs,
        }),
      () => undefined /* The upstream defaults stand when settings cannot be read. */,
    );
  }, []);
  const { graceMs, evictionMs } = periods;
  const countdownOf = useCallback(
    (node: NodeRow): Countdown | undefined => {
      const fault = faults.find(
        ({ spec, status }) =>
          status?.phase === 'Active' && (spec.target?.node === node.name || (spec.target?.zone !== undefined && spec.target.zone === node.zone)),
      );
      if (!fault || !fault.status?.injectedAt) return undefined;
      const [from, span, what] =
        node.ready === 'True'
          ? ([Date.parse(fault.status.injectedAt), graceMs, 'until it is marked unreachable'] as const)
          : ([node.readySinceMs, evictionMs, 'until its pods are evicted'] as const);
      const left = from + span - nowMs;
      return left <= 0 ? undefined : { share: Math.min(1, left / span), text: `${formatDuration(left)} ${what}` };
    },
    [faults, nowMs, graceMs, evictionMs],
  );
  return { graceMs, evictionMs, countdownOf };
}
