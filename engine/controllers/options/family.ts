/** The contract of a family of options: the flags that it adds to the command line, and what its controllers read of them. */
import type { GoForms } from '../../apimachinery/go-print.ts';
import type { CertificateReader } from '../../contracts/certificates.ts';
import type { CloudProvider } from '../../contracts/cloud.ts';
import { type Flag, type FlagType, flag, idleFlag } from '../../contracts/flags.ts';
import type { ControllerTraits, ReleaseTiming } from '../../contracts/release.ts';
import type { SecretTokenClaims } from '../../contracts/tokens.ts';

/** Who signs the tokens that Secrets hold, and whether every account has one. */
export interface TokenSecretOptions {
  sign(claims: SecretTokenClaims): string;
  readonly forEveryAccount: boolean;
}

/** What the process lends to controllers. */
export interface ControllerHost {
  /** PEM of the CA that clients in pods trust; a placeholder in digests. */
  readonly rootCaPem: string;
  /** In hexadecimal digits. */
  readonly sha256: (text: string) => string;
  /** In base64url. */
  readonly hmacSha256?: (key: string, text: string) => string;
  /** The cloud that the cluster is in. */
  readonly cloud?: CloudProvider;
  readonly certificates?: CertificateReader;
  readonly tokenSecrets?: TokenSecretOptions;
}

/** Where options come from. Flags are read by name, also those that others declare. */
export interface OptionSource {
  number(flag: string): number;
  boolean(flag: string): boolean;
  text(flag: string): string;
  milliseconds(flag: string): number;
  hasGate(name: string): boolean;
  readonly release: {
    readonly timing: Pick<ReleaseTiming, 'jobBackoffMaxMs'>;
    readonly podTemplateForms: GoForms;
    readonly controllers: ControllerTraits;
  };
  readonly host: ControllerHost;
}

export interface OptionFamily<O> {
  readonly flags: readonly Flag[];
  read(source: OptionSource): O;
}

export function defineOptions<O>(family: OptionFamily<O>): OptionFamily<O> {
  return family;
}

/** A flag of the controller manager. */
export function managerFlag(name: string, type: FlagType, standard: string, help: string, min?: number): Flag {
  return flag('controller-manager', name, type, standard, help, min);
}

/** One that changes nothing, and why. */
export function idleManagerFlag(why: string, name: string, type: FlagType, standard: string, help: string, min?: number): Flag {
  return idleFlag(why, 'controller-manager', name, type, standard, help, min);
}
