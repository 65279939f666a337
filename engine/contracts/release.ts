/**
 * A release is a value: what the cluster's configuration names and everybody asks, and nobody compares with a number. See
 * `engine/releases/<version>/`.
 */

/** A feature gate as a release knows it. */
export interface FeatureGate {
  readonly name: string;
  readonly default: boolean;
  /** Upstream's word; empty for what is generally available. */
  readonly stage: 'ALPHA' | 'BETA' | '' | 'DEPRECATED';
  /** It cannot be switched any more. */
  readonly locked?: true;
}
