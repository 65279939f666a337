/** A disk behind a volume is gone, or answers with I/O errors. */
import { volumeDisk } from '../base/fault-points.ts';
import { defineFault, effect } from './fault.ts';

export const volumeDiskGone = defineFault({
  name: 'volume-disk-gone',
  title: 'Disk gone',
  target: 'control-plane',
  parameters: {
    disk: { type: 'text', default: '', description: "the volume's handle (spec.csi.volumeHandle); all disks of the shipped driver when empty" },
    how: {
      type: 'choice',
      default: 'gone',
      values: ['gone', 'io-errors'],
      description: 'whether the provider has it no more, or it is there and fails',
    },
  },
  describe: ({ parameters }) => {
    const disk = parameters.text('disk');
    const which = disk === '' ? 'Every disk' : `Disk ${disk}`;
    const held = 'Containers that have it mounted run on and get Input/output error for what they read and write there';
    return parameters.text('how') === 'gone'
      ? `${which} is gone: ${held}, and its VolumeAttachment stays. Elsewhere it cannot be attached: pods wait in ContainerCreating with FailedAttachVolume (NotFound). It can be detached and deleted, and neither grown nor snapshotted. Kubernetes says so nowhere else.`
      : `${which} fails: ${held}. It is attached and detached as ever; pods that mount it anew wait in ContainerCreating with FailedMount.`;
  },
  effects: (_subject, parameters) => [effect(volumeDisk, parameters.text('disk'), parameters.text('how') === 'gone' ? 'gone' : 'io-errors')],
});
