/** Several managers that apply and edit one object: values, owners and conflicts against a small model. */
import { ApplyModel } from '../../model/apply-model.ts';
import { core, merge, pick, type Swarm } from '../draw.ts';
import type { Thing } from '../world.ts';
import type { Bystander } from './client.ts';

type ConfigMap = Thing & { readonly data?: Readonly<Record<string, string>> };

const path = `${core}/namespaces/default/configmaps/shared`;
const applyType = 'application/apply-patch+yaml';
const keys = ['a', 'b', 'c', 'd'];

export class Applier implements Bystander {
  readonly name = 'apply follows its rules';
  #model = new ApplyModel();
  #exists = false;

  step(swarm: Swarm): void {
    // Somebody has deleted it: the next apply makes it anew.
    if (this.#exists && swarm.made.ask('GET', path).status === 404) {
      this.#model = new ApplyModel();
      this.#exists = false;
    }
    if (swarm.below(3) > 0 || !this.#exists) this.#apply(swarm);
    else this.#edit(swarm);
    this.#compare(swarm);
  }

  #apply(swarm: Swarm): void {
    const manager = pick(swarm, ['alpha', 'beta']);
    const force = swarm.below(3) === 0;
    // At least one: an empty map is a field of its own.
    const chosen = new Set([pick(swarm, keys), ...keys.filter(() => swarm.below(2) === 0)]);
    const data = Object.fromEntries([...chosen].toSorted().map((key) => [key, pick(swarm, ['1', '2'])]));
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'shared' }, data };
    const conflicts = this.#model.apply(manager, data, force);
    const { status, object } = swarm.made.ask('PATCH', `${path}?fieldManager=${manager}&force=${force}`, body, applyType);
    this.#exists ||= status < 300;
    if (conflicts.length > 0 ? status !== 409 : status >= 300)
      swarm.complain(
        this.name,
        `${manager} applied ${JSON.stringify(data)}, in conflict over [${conflicts.join(' ')}]: ${status} ${object.message ?? ''}`,
      );
  }

  #edit(swarm: Swarm): void {
    const changes = Object.fromEntries(keys.filter(() => swarm.below(3) === 0).map((key) => [key, pick(swarm, ['1', '2', null])]));
    this.#model.update('editor', changes);
    swarm.made.call('PATCH', `${path}?fieldManager=editor`, { data: changes }, merge);
  }

  #compare(swarm: Swarm): void {
    const { data = {}, metadata } = swarm.made.call<ConfigMap>('GET', path);
    const wanted = textOf(this.#model.state.values);
    const found = textOf(new Map(Object.entries(data)));
    if (wanted !== found) swarm.complain(this.name, `holds ${found} instead of ${wanted}`);
    const owners = [...this.#model.state.owners].map(([owner, owned]) => `${owner}: ${[...owned].toSorted().join(' ')}`).toSorted();
    // Who owns nothing but the map itself is left out: the model knows entries only.
    const listed = (metadata.managedFields ?? []).flatMap(({ manager, operation, fieldsV1 }) => {
      const fields = (fieldsV1 as { readonly 'f:data'?: object } | undefined)?.['f:data'] ?? {};
      const owned = Object.keys(fields).filter((field) => field.startsWith('f:'));
      return owned.length === 0
        ? []
        : [
            `${manager} ${operation}: ${owned
              .map((field) => field.slice(2))
              .toSorted()
              .join(' ')}`,
          ];
    });
    if (listed.toSorted().join('; ') !== owners.join('; '))
      swarm.complain(this.name, `is owned by [${listed.join('; ')}] instead of [${owners.join('; ')}]`);
  }
}

function textOf(values: ReadonlyMap<string, string>): string {
  return JSON.stringify([...values].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
