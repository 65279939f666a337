/** The disks of the simulated provider: each lies in one zone and is attached to one instance of it at most. */
import { number, record, text } from '../base/codecs.ts';
import type { Slots } from '../base/slots.ts';
import { CloudError, type CloudDisk, type CloudInstance } from '../contracts/cloud.ts';
import { disksPerInstanceMax } from './physics.ts';

const diskCodec = record<CloudDisk>({ name: text, zone: text, sizeBytes: number, attachedTo: text });

export class Disks {
  readonly #disks: Map<string, CloudDisk>;
  readonly #instance: (name: string) => CloudInstance | undefined;
  readonly #isGone: (name: string) => boolean;

  /** `isGone`: a fault has taken the disk of that name. */
  constructor(slots: Slots, instance: (name: string) => CloudInstance | undefined, isGone: (name: string) => boolean) {
    this.#disks = slots.map('disks', diskCodec);
    this.#instance = instance;
    this.#isGone = isGone;
  }

  get count(): number {
    return this.#disks.size;
  }

  get(name: string): CloudDisk | undefined {
    return this.#isGone(name) ? undefined : this.#disks.get(name);
  }

  attachedTo(instance: string): readonly CloudDisk[] {
    return [...this.#disks.values()].filter((disk) => disk.attachedTo === instance && !this.#isGone(disk.name));
  }

  create({ name, zone, sizeBytes }: Omit<CloudDisk, 'attachedTo'>): CloudDisk {
    const known = this.#disks.get(name);
    if (known !== undefined) {
      if (known.zone !== zone || known.sizeBytes !== sizeBytes) throw new CloudError('Conflict', `disk ${name} is there with another size or zone`);
      return known;
    }
    return this.#put({ name, zone, sizeBytes, attachedTo: '' });
  }

  delete(name: string): void {
    const { attachedTo = '' } = this.get(name) ?? {};
    if (attachedTo !== '') throw new CloudError('Conflict', `disk ${name} is attached to ${attachedTo}`);
    this.#disks.delete(name);
  }

  resize(name: string, sizeBytes: number): CloudDisk {
    const disk = this.#mustGet(name);
    if (sizeBytes < disk.sizeBytes) throw new CloudError('Invalid', `disk ${name} has ${disk.sizeBytes} bytes and cannot shrink to ${sizeBytes}`);
    return this.#put({ ...disk, sizeBytes });
  }

  attach(name: string, instance: string): CloudDisk {
    const disk = this.#mustGet(name);
    if (disk.attachedTo === instance) return disk;
    const target = this.#instance(instance);
    if (target === undefined) throw new CloudError('NotFound', `there is no instance ${instance}`);
    if (disk.attachedTo !== '') throw new CloudError('Conflict', `disk ${name} is attached to ${disk.attachedTo}`);
    if (disk.zone !== '' && disk.zone !== target.zone)
      throw new CloudError('Invalid', `disk ${name} lies in zone ${disk.zone}, instance ${instance} in ${target.zone}`);
    if (this.attachedTo(instance).length >= disksPerInstanceMax)
      throw new CloudError('QuotaExceeded', `instance ${instance} has ${disksPerInstanceMax} disks, which is the most`);
    return this.#put({ ...disk, attachedTo: instance });
  }

  /** Fine when it is not there, or not attached to that instance. */
  detach(name: string, instance: string): void {
    const disk = this.#disks.get(name);
    if (disk?.attachedTo === instance) this.#put({ ...disk, attachedTo: '' });
  }

  #mustGet(name: string): CloudDisk {
    const disk = this.get(name);
    if (disk === undefined) throw new CloudError('NotFound', `there is no disk ${name}`);
    return disk;
  }

  #put(disk: CloudDisk): CloudDisk {
    this.#disks.set(disk.name, disk);
    return disk;
  }
}
