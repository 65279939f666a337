/** What is asked of both servers, and what the real one answers. */
export interface Call {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  readonly type?: string;
}

export interface Question extends Call {
  readonly name: string;
  /** What is asked first, whatever the answers are. */
  readonly before?: readonly Call[];
}

export interface Fact extends Question {
  readonly code: number;
  readonly message?: string;
}
