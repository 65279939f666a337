/** Stage of kwok.x-k8s.io/v1alpha1: a step in the life of nodes, pods and whatever it names. */
import type { KubeObject } from '../../../apimachinery/object.ts';

export interface StageExpression {
  readonly cel?: { readonly expression?: string };
  readonly jq?: { readonly expression?: string };
  /** The older form of `jq`. */
  readonly expressionFrom?: string;
}

export interface StageRequirement {
  readonly key?: string;
  readonly operator?: string;
  readonly values?: readonly string[];
}

export interface StageMatchExpression extends StageRequirement {
  readonly cel?: { readonly expression?: string };
  readonly jq?: StageRequirement;
}

export interface StageSelector {
  readonly matchLabels?: { readonly [key: string]: string };
  readonly matchAnnotations?: { readonly [key: string]: string };
  readonly matchExpressions?: readonly StageMatchExpression[];
}

export interface StageDelay {
  readonly durationMilliseconds?: number;
  readonly durationFrom?: StageExpression;
  readonly jitterDurationMilliseconds?: number;
  readonly jitterDurationFrom?: StageExpression;
}

export interface StageEvent {
  readonly type?: string;
  readonly reason?: string;
  readonly message?: string;
}

export interface StageFinalizers {
  readonly add?: readonly { readonly value?: string }[];
  readonly remove?: readonly { readonly value?: string }[];
  readonly empty?: boolean;
}

export interface StagePatch {
  readonly subresource?: string;
  readonly root?: string;
  readonly template?: string;
  readonly type?: string;
  readonly impersonation?: { readonly username?: string };
}

export interface StageStep {
  readonly patch?: StagePatch;
  readonly event?: StageEvent;
  readonly finalizers?: StageFinalizers;
  readonly delete?: boolean;
  readonly apply?: StagePatch;
}

export interface StageNext {
  readonly event?: StageEvent;
  readonly finalizers?: StageFinalizers;
  readonly delete?: boolean;
  readonly patches?: readonly StagePatch[];
  readonly statusTemplate?: string;
  readonly statusSubresource?: string;
  readonly statusPatchAs?: { readonly username?: string };
}

export interface StageSpec {
  readonly resourceRef?: { readonly apiGroup?: string; readonly kind?: string };
  readonly selector?: StageSelector;
  readonly weight?: number;
  readonly weightFrom?: StageExpression;
  readonly delay?: StageDelay;
  readonly next?: StageNext;
  readonly steps?: readonly StageStep[];
  readonly immediateNextStage?: boolean;
}

export interface Stage extends KubeObject {
  readonly spec?: StageSpec;
  readonly status?: { readonly conditions?: readonly object[] };
}
