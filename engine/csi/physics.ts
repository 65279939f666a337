/**
 * How long the simulated storage takes, in virtual milliseconds, and what it has (law 7). Each piece of work is drawn uniformly
 * between its bounds; they are those of a quick block store. With a cloud its own times count instead (`engine/cloud/physics.ts`).
 */
export const workMs = {
  create: [1_000, 2_500],
  delete: [500, 1_500],
  attach: [1_000, 2_500],
  detach: [800, 2_000],
  resize: [1_000, 2_500],
  modify: [500, 1_500],
  snapshot: [1_500, 4_000],
} as const;

export type Work = keyof typeof workMs;

/** The sidecars of a driver try again after so long, doubling (external-provisioner, -attacher, -resizer: retry-interval-start and -max). */
export const retryMinMs = 1_000;
export const retryMaxMs = 300_000;
