/** What the swarm plays. The order is part of what a seed means. */
import type { Theme } from '../draw.ts';
import { cronJobs, jobs } from './batch.ts';
import { belonging } from './belonging.ts';
import { budgets, quotas } from './limits.ts';
import { outages } from './outages.ts';
import { placing } from './placing.ts';
import { workloads } from './workloads.ts';

export const themes: readonly Theme[] = [workloads, jobs, cronJobs, placing, quotas, budgets, outages, belonging];
