/** A number, badge or time that leads to the change behind it. */
import type { ReactNode } from 'react';
import { findChange, type Told } from '../../api/changes.ts';
import { messageOf } from '../../api/request.ts';
import { useNotices } from '../../state/notices.ts';
import { texts } from '../../texts/texts.ts';
import { goToChange } from './use-change-keys.ts';

const words = texts.changes;

interface Props extends Told {
  /** Row id of the object that it is told of. */
  readonly row: string;
  readonly className?: string;
  readonly children: ReactNode;
}

export function Behind({ row, className = 'plain', children, ...told }: Props) {
  return (
    <button type="button" className={`behind ${className}`} title={words.behindTitle} onClick={() => void openBehind(row, told)}>
      {children}
    </button>
  );
}

async function openBehind(row: string, told: Told): Promise<void> {
  const { tell } = useNotices.getState();
  try {
    const revision = await findChange(row, told);
    if (revision === undefined) {
      tell({ level: 'info', title: words.behindForgotten, detail: words.behindForgottenText });
      return;
    }
    goToChange(row, revision);
  } catch (error) {
    tell({ level: 'error', title: words.cannotRead, detail: messageOf(error) });
  }
}
