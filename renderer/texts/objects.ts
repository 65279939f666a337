/** Words of the view of all kinds. */
export const objects = {
  clearFilter: 'Show all again',
} as const;
