/** Upstream's times, in milliseconds (attach_detach_controller.go, csi_attacher.go, goroutinemap/exponentialbackoff). */

/** A node that is not healthy loses a volume that it does not let go after so long. */
export const maxWaitForUnmountMs = 6 * 60_000;
/** How long an attacher may take before the operation is given up and begun again. */
export const operationTimeoutMs = 2 * 60_000;
/** An operation is looked at in steps that grow from the first to the last by the factor, each up to so much longer. */
export const firstStepMs = 500;
export const lastStepMs = 7_000;
export const stepFactor = 1.05;
export const stepJitter = 0.1;
/** What failed is tried again after so long, doubling. */
export const backoffFirstMs = 500;
export const backoffLastMs = 122_000;
