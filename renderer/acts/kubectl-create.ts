/** What makes the same objects in a shell. */
import type { JsonObject } from '../../engine/base/json.ts';
import { writeYaml } from '../editor/yaml-write.ts';

export function kubectlCreate(bodies: readonly JsonObject[]): string {
  return `kubectl create -f - <<'EOF'\n${bodies.map((body) => writeYaml(body)).join('---\n')}EOF`;
}
