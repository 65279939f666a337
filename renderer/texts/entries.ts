/** Words of what lies under the pointer on the timeline, and of its marks as a table. */
export const entries = {
  time: 'Time',
  object: 'Object',
  type: 'Type',
  what: 'What',
  by: 'By',
  reason: (reason: string) => `, ${reason}`,
  ready: ', ready',
  since: (time: string) => ` since ${time}`,
  lasted: (duration: string) => ` for ${duration}`,
  more: (count: number, isDense: boolean) => `and ${count} more${isDense ? ' or denser than pixels' : ''}: zoom in`,
  onNode: (node: string) => ` · on ${node}`,
  writer: (actor: string) => ` · by ${actor}`,
  revision: (revision: number) => ` · revision ${revision}`,
  endpoint: 'endpoint',
  pod: 'pod',
} as const;
