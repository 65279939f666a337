/** Keeps what fails inside from taking the page with it: says so in its place, and tries again when `key` changes or somebody asks. */
import { Component, type ReactNode } from 'react';
import { texts } from '../texts/texts.ts';
import { ErrorBox } from './ErrorBox.tsx';

interface Props {
  readonly children: ReactNode;
}
interface State {
  readonly error: Error | undefined;
}

export class Boundary extends Component<Props, State> {
  override state: State = { error: undefined };

  static getDerivedStateFromError(error: unknown): State {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return <ErrorBox title={texts.frame.defect} detail={error.message} onRetry={() => this.setState({ error: undefined })} />;
  }
}
