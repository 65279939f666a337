/** A sentence in which commands, names and flags stand as code. */
export type Sentence = readonly (string | { readonly code: string })[];
