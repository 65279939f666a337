/** The disk that a machine runs from cannot be written, fails, or is gone. */
import { kubeletStopped, systemDisk, type SystemDiskFault } from '../base/fault-points.ts';
import { defineFault, effect, nodeWords, timeWords } from './fault.ts';

export const nodeSystemDisk = defineFault({
  name: 'node-system-disk',
  title: 'System disk fails',
  target: 'nodes',
  parameters: {
    how: {
      type: 'choice',
      default: 'read-only',
      values: ['read-only', 'io-errors', 'gone'],
      description: 'whether the system has remounted it read-only, every read and write fails, or it is not there any more',
    },
  },
  describe: ({ target, parameters }, { graceMs, evictionMs }) => {
    const node = nodeWords(target);
    const stuck =
      'Containers run on and their logs end; what they write fails, images cannot be pulled, and nothing new starts: pods wait with "error making pod data directories"';
    switch (parameters.text('how') as SystemDiskFault) {
      case 'read-only':
        return `The system of ${node} has remounted its disk read-only. ${stuck}. The node stays Ready, and more pods are sent to it.`;
      case 'io-errors':
        return `The disk of ${node} fails. ${stuck}. Commands in containers and probes by exec fail too. The node stays Ready, and more pods are sent to it.`;
      default:
        return `The disk of ${node} is gone, and its kubelet with it: after ${timeWords(graceMs)} of silence it is NotReady, pods are tainted away ${timeWords(evictionMs)} later and stay Terminating. Containers run on in memory. With the disk the kubelet is back.`;
    }
  },
  effects: (node, parameters) => {
    const how = parameters.text('how') as SystemDiskFault;
    return [effect(systemDisk, node, how), ...(how === 'gone' ? [effect(kubeletStopped, node, true)] : [])];
  },
});
