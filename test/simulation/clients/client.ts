/** A client beside the swarm: it takes a step between the acts, and says what is wrong with what it was answered. */
import type { Swarm } from '../draw.ts';

export interface Bystander {
  readonly name: string;
  step(swarm: Swarm): void;
}
