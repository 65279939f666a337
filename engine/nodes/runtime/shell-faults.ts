/** What a script cannot go on after: it is said, and the shell that runs it ends. */
export class ScriptFault extends Error {
  readonly code: number;

  constructor(message: string, code = 2) {
    super(message);
    this.name = 'ScriptFault';
    this.code = code;
  }
}
