/** Every mutation. One more is one more value in one of the lists. */
import { apiMutations } from './api-mutations.ts';
import { beamMutations } from './beam-mutations.ts';
import { controllerMutations } from './controller-mutations.ts';
import type { Mutation } from './mutation.ts';
import { plantedMutations } from './planted-mutations.ts';
import { schedulerMutations } from './scheduler-mutations.ts';
import { storeMutations } from './store-mutations.ts';

export const mutations: readonly Mutation[] = [
  ...storeMutations,
  ...schedulerMutations,
  ...controllerMutations,
  ...beamMutations,
  ...plantedMutations,
  ...apiMutations,
];
