/** Files of a folder of manifests, and the documents in them. Mirrors apiserver pkg/admission/plugin/manifest/loader.go. */

export interface ManifestFile {
  /** As it is told of: the folder, and its name. */
  readonly path: string;
  readonly text: string;
}

export interface ManifestDocument {
  readonly path: string;
  readonly text: string;
}

/** Whether a file of this name is looked at. */
export function isManifest(name: string): boolean {
  return /\.(?:ya?ml|json)$/i.test(name);
}

/** In order; lines of three dashes stand between them, and what is blank is none. */
export function documentsOf(files: readonly ManifestFile[]): readonly ManifestDocument[] {
  return files.flatMap(({ path, text }) =>
    text
      .split(/^---[^\S\n]*(?:\n|$)/m)
      .map((document) => document.trim())
      .filter((document) => document !== '')
      .map((document) => ({ path, text: document })),
  );
}
