/** Words of tables of Events. */
export const events = {
  time: 'Time',
  reason: 'Reason',
  object: 'Object',
  message: 'Message',
  warning: 'Warning',
  times: (count: number) => ` ×${count}`,
  noneAbout: 'No Events',
  noneAboutText: 'Events are kept for an hour of virtual time; older ones are marks on the timeline.',
} as const;
