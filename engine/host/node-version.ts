/** Which releases of Node.js run this. */
const majorMin = 24;

/** Why this release of Node.js cannot run Wavetank, in one line; undefined when it can. `version` is such as `v24.1.0`. */
export function unfitNode(version: string): string | undefined {
  const major = Number(/^v?(\d+)\./.exec(version)?.[1]);
  if (major >= majorMin) return undefined;
  return `Wavetank needs Node.js ${majorMin} or newer, and this is ${version}; \`npx wavetank\` and \`npm start\` bring a release that fits`;
}
