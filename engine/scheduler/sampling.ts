/** How many nodes are looked for (schedule_one.go, numFeasibleNodesToFind). */

const feasibleNodesMin = 100;
const feasiblePercentageMin = 5;

/** Enough nodes to choose from: all of a small cluster, half of a middling one, down to 5 % of a large one. */
export function nodesToFind(nodes: number, percentage: number): number {
  if (nodes < feasibleNodesMin) return nodes;
  const share = percentage === 0 ? Math.max(feasiblePercentageMin, 50 - Math.trunc(nodes / 125)) : percentage;
  return Math.max(feasibleNodesMin, Math.trunc((nodes * share) / 100));
}
