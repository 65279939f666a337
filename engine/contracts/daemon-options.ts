/** What a release decides on options of the daemons. */

/** Which options its controller manager and scheduler have otherwise than those of now, where there is such a thing. */
export interface DaemonOptions {
  /** Those that they do not know yet. */
  readonly later: readonly string[];
  /** Those of the controller manager that were dropped since: they change nothing. */
  readonly former: readonly FormerOption[];
  /** Controllers that its manager has, by their names there, and those of now that each of them is. */
  readonly controllers: Readonly<Record<string, readonly string[]>>;
  /** Those that are written otherwise, by their present names. */
  readonly spelled: Readonly<Record<string, string>>;
}

export interface FormerOption {
  readonly name: string;
  readonly type: 'bool' | 'int32' | 'float' | 'duration' | 'cidrs';
  readonly standard: string;
  /** Why nothing can be seen of it. */
  readonly why: string;
  /** What it said of itself when it was given. */
  readonly deprecated?: string;
}
