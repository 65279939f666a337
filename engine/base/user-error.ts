/** What a command tells its user in one line, without a stack: most can be mended by the user. */
export class UserError extends Error {
  /** Of a process that ends with it. */
  readonly exitCode: number = 2;
}
