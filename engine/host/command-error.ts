import { UserError } from '../base/user-error.ts';

/** What a user can mend: printed as one line. Exit code 2, but where upstream's daemon gives its own. */
export class CommandError extends UserError {
  override readonly exitCode: number;

  constructor(message: string, exitCode = 2) {
    super(message);
    this.name = 'CommandError';
    this.exitCode = exitCode;
  }
}
