/**
 * Runs one controller as the controller manager does, over the bench. A test gives objects, lets the controller settle, and reads the
 * writes, the events and the objects that are there then.
 *
 *   const bench = new ControllerBench();
 *   bench.add(replicaSets, makeReplicaSet());
 *   await bench.run(definition);          // starts informers and controller, settles
 *   expect(bench.writeTexts()).toEqual(['create pods default/web-x7k2p', 'updateStatus replicasets default/web']);
 *   await bench.advance(10_000);          // whatever is due on the way
 */
import type { ResourceType } from '../../client/client.ts';
import { must } from '../../base/assert.ts';
import type { JsonValue } from '../../base/json.ts';
import type { ControllerMetric } from '../../controller-runtime/controller.ts';
import { ControllerRunner } from '../../controller-runtime/runner.ts';
import { Bench } from '../../../test/support/bench.ts';
import { type BenchCloud, benchCloud } from '../../../test/support/cloud.ts';
import type { ControllerDefinition, ControllerOptions } from '../controller.ts';
import { defaultOptions } from './default-options.ts';

export class ControllerBench extends Bench {
  /** What the garbage collector and the namespace controller find. */
  deletable: readonly ResourceType[] = [];
  /** What reconciles threw, as text. */
  readonly errors: string[] = [];
  readonly #options: ControllerOptions;
  /** There when the test names its machines. */
  readonly cloud: BenchCloud | undefined;
  #runner: ControllerRunner<ControllerOptions> | undefined;

  constructor(options: { readonly nowMs?: number; readonly options?: Partial<ControllerOptions>; readonly machines?: readonly string[] } = {}) {
    super(options.nowMs);
    this.cloud = options.machines && benchCloud(this, options.machines);
    this.#options = { ...defaultOptions, ...options.options, ...(this.cloud && { cloud: this.cloud.cloud }) };
  }

  /** Starts the controller and settles; one that remembers something starts with it. */
  async run(definition: ControllerDefinition, remembered?: JsonValue): Promise<void> {
    const informers = this.informers(definition.name);
    const runner = (this.#runner = new ControllerRunner({
      definition,
      loop: this.loop,
      client: this.client(definition.name),
      informers,
      recorder: this.recorder(),
      random: this.random.stream(definition.name),
      options: this.#options,
      deletableResources: () => this.deletable,
      onError: (_controller, _key, error) => void this.errors.push(error.message),
    }));
    if (remembered === undefined) informers.start();
    else {
      informers.restore();
      runner.slots.restore(remembered, 'runner');
    }
    await this.settle();
    if (remembered === undefined) runner.start();
    await this.settle();
  }

  metrics(): readonly ControllerMetric[] {
    return must(this.#runner, 'a controller runs').metrics();
  }

  /** What the controller remembers, as a checkpoint has it. */
  save(): JsonValue {
    return must(this.#runner, 'a controller runs').slots.save();
  }
}
