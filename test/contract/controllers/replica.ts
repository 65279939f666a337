/** A controller manager that waits until it leads, as the daemon does, and ends when it leads no more. */
import { Random } from '../../../engine/base/random.ts';
import type { TaskLoop } from '../../../engine/base/task-loop.ts';
import { controllerManagerIdentity } from '../../../engine/cluster/identities.ts';
import { LeaderElector } from '../../../engine/host/daemons/leader-election.ts';
import { createLock } from '../../../engine/host/daemons/resource-locks.ts';
import type { ManagerProcess } from './manager-process.ts';

/** The daemon's defaults. */
const times = { leaseMs: 15_000, renewDeadlineMs: 10_000, retryMs: 2_000 };

export class Replica {
  readonly process: ManagerProcess;
  readonly #loop: TaskLoop;
  /** When it began to lead. */
  ledFromMs: number | undefined;

  constructor(process: ManagerProcess, loop: TaskLoop) {
    this.process = process;
    this.#loop = loop;
    const component = 'leader-election';
    const elector = new LeaderElector({
      component: `${process.name}/${component}`,
      loop: process.loop,
      random: new Random(process.name.length).stream(process.name),
      lock: createLock('leases', { namespace: 'kube-system', name: 'kube-controller-manager' }, process.client(controllerManagerIdentity, component)),
      identity: process.name,
      times,
      onStartedLeading: () => {
        this.ledFromMs = this.#loop.nowMs();
        process.begin();
      },
      onStoppedLeading: () => process.kill(),
      onNewLeader: () => undefined,
      onError: () => undefined,
    });
    process.loop.register(elector);
    elector.start();
  }

  /** Nothing that it sends arrives, and nothing is told to it; it lives on. */
  cutOff(): void {
    this.process.isCutOff = true;
  }
}
