/** What the swarm plays. The order is part of what a seed means. */
import type { Theme } from '../draw.ts';
import { cronJobs, jobs } from './batch.ts';
import { belonging } from './belonging.ts';
import { budgets, quotas } from './limits.ts';
import { outages } from './outages.ts';
import { placing } from './placing.ts';
import { scaling } from './scaling.ts';
import { sets } from './sets.ts';
import { volumes } from './volumes.ts';
import { workloads } from './workloads.ts';

/** What seeds drew from before there were sets and volumes. Mutations are tried with it. */
export const firstThemes: readonly Theme[] = [workloads, jobs, cronJobs, placing, quotas, budgets, outages, belonging];
export const themes: readonly Theme[] = [...firstThemes, sets, volumes, scaling];
