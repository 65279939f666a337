/** Words of the view of settings. */
export const settings = {
  title: 'Settings in force',
  search: 'Search settings',
  searchHint: 'Search flags ( / )',
  when: 'set when the cluster starts',
  cannotRead: 'The settings cannot be read',
  none: (search: string) => `No flag contains “${search}”`,
  clear: 'Clear the search to see all.',
  flag: 'Flag',
  value: 'Value',
  unset: 'not set',
} as const;
