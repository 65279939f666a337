/** Colours of drawings on time, read from the tokens once per theme. */
export interface Palette {
  readonly background: string;
  readonly grid: string;
  readonly gridStrong: string;
  readonly text: string;
  readonly muted: string;
  readonly accent: string;
  readonly fault: string;
  readonly stripe: string;
  readonly onState: string;
  readonly state: Readonly<Record<string, string>>;
  readonly warning: string;
  readonly danger: string;
  readonly event: string;
  readonly mark: string;
  readonly font: string;
}

/** `token` gives the value of a token of colour. */
export function readPalette(token: (name: string) => string): Palette {
  const state = (name: string): string => token(`--state-${name}`);
  return {
    background: token('--surface'),
    grid: token('--line-soft'),
    gridStrong: token('--line'),
    text: token('--text'),
    muted: token('--text-muted'),
    accent: token('--accent'),
    fault: token('--fault'),
    stripe: token('--surface-raised'),
    onState: token('--on-state'),
    state: {
      Pending: state('pending'),
      Running: state('running'),
      Ready: state('running'),
      Succeeded: state('succeeded'),
      Complete: state('succeeded'),
      Failed: state('failed'),
      NotReady: state('failed'),
      Broken: state('failed'),
      Starting: state('running'),
      Replaced: state('terminating'),
      Unknown: state('unknown'),
      Terminating: state('terminating'),
      Suspended: state('terminating'),
      Exists: state('exists'),
    },
    warning: token('--warning'),
    danger: token('--danger'),
    event: token('--text-muted'),
    mark: token('--text'),
    font: token('--font'),
  };
}
