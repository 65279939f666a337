/** What the swarm's own requests promise or allow, so that a checker can tell a client's wish from the cluster's mistake. */
export class Promises {
  /** Owners that were deleted with `Orphan`, and when: nobody may collect what they owned by then. */
  readonly orphaned = new Map<string, number>();
  /** Keys whose finalizers a request is just taking away, or that it deletes by force. */
  readonly released = new Set<string>();
  /** UIDs of owners that a request is just deleting with `Background`: even one that waited for what it owns goes at once. */
  readonly inBackground = new Set<string>();
}
