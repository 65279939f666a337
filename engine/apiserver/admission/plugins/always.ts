/** The plugins that let everything pass and nothing: for trying what a chain is. Mirrors plugin/pkg/admission/{admit,deny}. */
import { defineAdmissionPlugin } from '../plugin.ts';
import { refuse } from '../refusal.ts';

const verbs = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'] as const;
const denied = 'admission control is denying all modifications';

export const alwaysAdmit = defineAdmissionPlugin({ name: 'AlwaysAdmit', verbs, seesAll: true, validate: () => {} });

export const alwaysDeny = defineAdmissionPlugin({
  name: 'AlwaysDeny',
  verbs,
  seesAll: true,
  mutate: (attributes) => refuse(attributes, denied),
  validate: (attributes) => refuse(attributes, denied),
});
