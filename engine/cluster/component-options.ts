/** Options of kubelets, and of controllers that have a switch of their own, from the settings in force. */
import type { NodesOptions } from '../nodes/context.ts';
import type { Settings } from './settings.ts';

const switches: Readonly<Record<string, string>> = {
  'garbage-collector-controller': 'enable-garbage-collector',
  'taint-eviction-controller': 'enable-taint-manager',
};

export function nodesOptions(settings: Settings): NodesOptions {
  return {
    clusterCidr: settings.text('cluster-cidr'),
    podCidrBits: settings.number('node-cidr-mask-size'),
    podsMax: settings.number('max-pods'),
    leaseDurationSeconds: settings.number('node-lease-duration-seconds'),
    statusUpdateMs: settings.milliseconds('node-status-update-frequency'),
  };
}

/** Whether an option of the controller's own says that it does not run. */
export function isSwitchedOff(settings: Settings, controller: string): boolean {
  const option = switches[controller];
  return option !== undefined && !settings.boolean(option);
}
