/** ImageProfile objects as image definitions. */
import type {
  ImageProfile,
  ImageProfileGrpcHealth,
  ImageProfileLoad,
  ImageProfileLoadPoint,
  ImageProfileRoute,
} from '../api/sim/v1alpha1/image-profile.ts';
import { unknownImageBytes } from './physics.ts';
import type { GrpcHealth, HttpRoute, ImageDefinition, ProgramDefinition } from './runtime/image-definition.ts';
import type { LoadPoint, LoadProfile } from './runtime/load.ts';
import { parseImageName } from './runtime/image-name.ts';

const programName = 'profile';
const stopMs = 100;

/** Undefined when the name of the image is none; validation has said so. */
export function toImageDefinition(profile: ImageProfile): ImageDefinition | undefined {
  const { spec } = profile;
  const name = parseImageName(spec.image);
  if (typeof name === 'string') return undefined;
  const program: ProgramDefinition = {
    ...(spec.startupMs === undefined ? {} : { startupMs: spec.startupMs }),
    ...(spec.log === undefined ? {} : { log: spec.log }),
    ports: (spec.ports ?? []).map(({ port, routes, grpc }) => ({
      port,
      ...(grpc === undefined ? { routes: (routes ?? [{ path: '*', status: 200, body: '' }]).map(toRoute) } : { grpc: grpc.map(toHealth) }),
    })),
    server: 'plain',
    ...(spec.exitAfterMs === undefined ? {} : { exitAfterMs: spec.exitAfterMs }),
    exitCode: spec.exitCode ?? 0,
    ...(spec.load === undefined ? {} : { load: toLoad(spec.load) }),
    ...(spec.ignoresTerm === true ? {} : { onTerm: { afterMs: spec.stopMs ?? stopMs, exitCode: spec.stopExitCode ?? 0 } }),
  };
  return {
    repository: name.repository,
    sizeBytes: spec.sizeBytes ?? unknownImageBytes,
    ...(spec.tags === undefined ? {} : { tags: spec.tags }),
    ...(spec.missingTags === undefined ? {} : { missingTags: spec.missingTags }),
    entrypoint: [programName],
    shell: true,
    anyCommand: true,
    programs: { [programName]: program },
  };
}

function toRoute(route: ImageProfileRoute): HttpRoute {
  return { status: 200, body: '', ...route, ...times(route) };
}

function toHealth(health: ImageProfileGrpcHealth): GrpcHealth {
  const { service = '', status = 'SERVING' } = health;
  return { service, status: status as GrpcHealth['status'], ...times(health) };
}

/** Numbers of 64 bits may be texts. */
function times({ failAfterMs, delayMs }: Pick<ImageProfileRoute, 'failAfterMs' | 'delayMs'>): Pick<HttpRoute, 'failAfterMs' | 'delayMs'> {
  return {
    ...(failAfterMs === undefined ? undefined : { failAfterMs: Number(failAfterMs) }),
    ...(delayMs === undefined ? undefined : { delayMs: Number(delayMs) }),
  };
}

function toLoad(load: ImageProfileLoad): LoadProfile {
  const numbers = (points: readonly ImageProfileLoadPoint[] | undefined): readonly LoadPoint[] | undefined =>
    points === undefined || points.length === 0 ? undefined : points.map(({ atMs, value }) => ({ atMs: Number(atMs), value: Number(value) }));
  const milliCpu = numbers(load.milliCpu);
  const memoryBytes = numbers(load.memoryBytes);
  const diskBytes = numbers(load.diskBytes);
  return {
    ...(milliCpu === undefined ? undefined : { milliCpu }),
    ...(memoryBytes === undefined ? undefined : { memoryBytes }),
    ...(diskBytes === undefined ? undefined : { diskBytes }),
    ...(load.processes === undefined ? undefined : { processes: Number(load.processes) }),
    ...(load.periodMs === undefined ? undefined : { periodMs: Number(load.periodMs) }),
  };
}
