/** What the pods of all machines say alike is kept once: texts, and small parts of their statuses. Nobody changes any of it. */
import type { ContainerUser, LinuxContainerUser, PodCondition } from '../../api/core/v1/types.gen.ts';
import { Seconds } from '../../apimachinery/time.ts';
import { SharedTexts, SharedValues } from '../../base/shared-values.ts';

const most = 1_000;

export class SharedParts {
  readonly seconds = new Seconds();
  readonly texts = new SharedTexts(most);
  readonly #conditions = new SharedValues<PodCondition>(most);
  readonly #running = new SharedValues<{ readonly running: { readonly startedAt: string } }>(most);
  readonly #users = new SharedValues<ContainerUser>(most);
  readonly #ips = new SharedValues<readonly { readonly ip: string }[]>(most);

  /** Fields in the order of the schema, so that it is stored as it is. */
  condition(given: PodCondition): PodCondition {
    const { type = '', observedGeneration = 0, status = '', lastTransitionTime, reason = '', message = '' } = given;
    const key = [type, observedGeneration, status, lastTransitionTime, reason, message].join('\n');
    return this.#conditions.under(key, () => given);
  }

  running(startedMs: number): { readonly running: { readonly startedAt: string } } {
    const startedAt = this.seconds.text(startedMs);
    return this.#running.under(startedAt, () => ({ running: { startedAt } }));
  }

  user(linux: LinuxContainerUser): ContainerUser {
    return this.#users.under(JSON.stringify(linux), () => ({ linux }));
  }

  /** Of a machine, whose pods all have it. */
  hostIps(ips: readonly string[]): readonly { readonly ip: string }[] {
    return this.#ips.under(ips.join(), () => ips.map((ip) => ({ ip })));
  }
}
