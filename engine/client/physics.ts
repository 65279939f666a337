/**
 * How long the roads between components and the API server are, in virtual milliseconds (law 7: named numbers in one place).
 * A request is drawn uniformly between the bounds; it covers the way there, the server's work and the way back of a small cluster
 * in one rack. Watch deliveries are one way.
 */
export const requestLatencyMinMs = 0.4;
export const requestLatencyMaxMs = 2.4;
export const watchLatencyMinMs = 0.2;
export const watchLatencyMaxMs = 1.2;
/** Between a key's arrival in an empty work queue and a worker picking it up. */
export const workerWakeUpMs = 0.01;
/** A process takes a watch up again so long after its stream broke (client-go's shortest back-off). */
export const reconnectMs = 800;
/** What is refused again and again is tried no less often than this. */
export const reconnectMaxMs = 30_000;
