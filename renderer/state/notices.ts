/** Short messages at the foot of the window: what happened, why, and what to do. */
import { create } from 'zustand';

export interface Notice {
  readonly id: number;
  readonly level: 'info' | 'error';
  readonly title: string;
  readonly detail?: string;
}

interface NoticeState {
  readonly notices: readonly Notice[];
  tell(notice: Omit<Notice, 'id'>): void;
  dismiss(id: number): void;
}

let nextId = 1;
const infoMs = 4000;

export const useNotices = create<NoticeState>()((set, get) => ({
  notices: [],
  tell: (notice) => {
    const id = nextId++;
    set({ notices: [...get().notices.slice(-2), { ...notice, id }] });
    if (notice.level === 'info') setTimeout(() => get().dismiss(id), infoMs);
  },
  dismiss: (id) => {
    set({ notices: get().notices.filter((one) => one.id !== id) });
  },
}));
