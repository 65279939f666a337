/**
 * Tells kubelets by an annotation of their Node how long they may keep Secrets and ConfigMaps: the longer, the larger the cluster.
 * Mirrors pkg/controller/ttl/ttl_controller.go.
 */
import type { Node } from '../../api/core/v1/types.gen.ts';
import { number } from '../../base/codecs.ts';
import type { Informer, InformerEvent } from '../../client/informer.ts';
import { nodes } from '../../client/resources.ts';
import { type Controller, type ReconcileContext, watchOf } from '../../controller-runtime/controller.ts';
import { type ControllerEnvironment, defineController } from '../controller.ts';

const annotation = 'node.alpha.kubernetes.io/ttl';

interface TtlStep {
  readonly nodesMin: number;
  readonly nodesMax: number;
  readonly seconds: number;
}

/** Steps overlap, so that a cluster at a border does not write its Nodes again and again. */
const steps: readonly TtlStep[] = [
  { nodesMin: 0, nodesMax: 100, seconds: 0 },
  { nodesMin: 90, nodesMax: 500, seconds: 15 },
  { nodesMin: 450, nodesMax: 1000, seconds: 30 },
  { nodesMin: 900, nodesMax: 2000, seconds: 60 },
  { nodesMin: 1800, nodesMax: 10_000, seconds: 300 },
];
const farthest = { nodesMin: 9000, nodesMax: Number.POSITIVE_INFINITY };

class TtlController implements Controller {
  readonly #nodes: Informer<Node>;
  readonly #steps: readonly TtlStep[];
  #count = 0;
  #step = 0;

  constructor({ informer, slots, options }: Pick<ControllerEnvironment, 'informer' | 'slots' | 'options'>) {
    this.#steps = [...steps, { ...farthest, seconds: options.traits.farthestTtl }];
    this.#nodes = informer(nodes);
    slots.field(
      'count',
      number,
      () => this.#count,
      (count) => {
        this.#count = count;
      },
    );
    slots.field(
      'step',
      number,
      () => this.#step,
      (step) => {
        this.#step = step;
      },
    );
  }

  keysOf({ type, object }: InformerEvent<Node>): readonly string[] {
    if (type === 'add') this.#count++;
    if (type === 'delete') this.#count--;
    if (this.#count > (this.#steps[this.#step]?.nodesMax ?? 0)) this.#step++;
    else if (this.#count < (this.#steps[this.#step]?.nodesMin ?? 0)) this.#step--;
    return type === 'delete' || this.#isRight(object) ? [] : [object.metadata.name ?? ''];
  }

  async reconcile({ client }: ReconcileContext, key: string): Promise<void> {
    const node = this.#nodes.get(undefined, key);
    if (node === undefined || this.#isRight(node)) return;
    await client.patch(nodes, undefined, key, 'strategic', { metadata: { annotations: { [annotation]: String(this.#seconds) } } });
  }

  get #seconds(): number {
    return this.#steps[this.#step]?.seconds ?? 0;
  }

  #isRight({ metadata }: Node): boolean {
    const text = metadata.annotations?.[annotation] ?? '';
    return /^[+-]?\d+$/.test(text) && Number(text) === this.#seconds;
  }
}

export const ttlController = defineController<TtlController>({
  name: 'ttl-controller',
  aliases: ['ttl'],
  serviceAccount: 'ttl-controller',
  eventSource: 'ttl-controller',
  workers: () => 5,
  watches: [watchOf(nodes, (event, controller: TtlController) => controller.keysOf(event))],
  create: (environment) => new TtlController(environment),
});
