/** What the kinds of this group and their fields are for, as `kubectl explain` tells it. */
import { getOwn } from '../../../base/dictionary.ts';
import type { MessageSchema } from '../../../apimachinery/schema.ts';

interface Words {
  readonly text: string;
  readonly fields: { readonly [field: string]: string };
}

const whole = { spec: 'What is wanted.', status: 'What is the case.' };

const words: { readonly [message: string]: Words } = {
  ImageProfile: {
    text: 'ImageProfile says what an image is and does in the simulation, for images that Wavetank does not know or knows differently.',
    fields: whole,
  },
  ImageProfileSpec: {
    text: 'ImageProfileSpec is one image and the program in it.',
    fields: {
      image: 'Repository without tag: nginx or ghcr.io/acme/shop.',
      sizeBytes: 'Bytes that a node pulls.',
      tags: 'Where it is given, other tags do not exist, and pulls of them fail.',
      missingTags: 'Tags that do not exist.',
      startupMs: 'Virtual milliseconds from the start of a container until its program listens.',
      log: 'Lines that it writes when it starts; {time}, {hostname} and {args} are filled in.',
      ports: 'What it serves.',
      exitAfterMs: 'Virtual milliseconds after which it ends by itself. Where it is absent it runs until it is stopped.',
      exitCode: 'With which code it ends by itself. Defaults to 0.',
      stopMs: 'Virtual milliseconds that it takes to end after SIGTERM. Defaults to 100.',
      stopExitCode: 'With which code it ends after SIGTERM. Defaults to 0.',
      ignoresTerm: 'SIGTERM is not heard: it ends when its grace period does.',
      load: 'What it uses while it runs. Absent curves are those of an idle program.',
    },
  },
  ImageProfileLoad: {
    text: 'ImageProfileLoad is what a program uses while it runs, as curves over the time since its start.',
    fields: {
      milliCpu: "Thousandths of a core; throttled at the container's limit.",
      memoryBytes: "Bytes of the working set; more than the container's limit kills it (OOMKilled).",
      diskBytes: "Bytes in the container's own file system.",
      processes: 'How many processes it has.',
      periodMs: 'Virtual milliseconds after which all curves begin anew.',
    },
  },
  ImageProfileLoadPoint: {
    text: 'ImageProfileLoadPoint is a point of a curve; between two of them stands a straight line.',
    fields: { atMs: 'Virtual milliseconds after the start.', value: 'What holds then, in the unit of the curve.' },
  },
  ImageProfilePort: {
    text: 'ImageProfilePort is a port that a program listens on, by HTTP or by gRPC.',
    fields: { port: 'Its number.', routes: 'Paths that it answers by HTTP.', grpc: 'Health of services by gRPC; such a port speaks no HTTP.' },
  },
  ImageProfileRoute: {
    text: 'ImageProfileRoute is a path that a program answers.',
    fields: {
      path: 'A path, or a prefix that ends in *.',
      status: 'Status code of the answer. Defaults to 200.',
      body: 'What it answers.',
      contentType: 'The type of what it answers.',
      failAfterMs: 'Virtual milliseconds after its start from which on it answers 500.',
      delayMs: 'Virtual milliseconds that it thinks about an answer.',
    },
  },
  ImageProfileGrpcHealth: {
    text: 'ImageProfileGrpcHealth is what a server says of a service when its health is asked for by gRPC.',
    fields: {
      service: 'Name of the service. Defaults to all of them.',
      status: 'SERVING, NOT_SERVING or UNKNOWN. Defaults to SERVING.',
      failAfterMs: 'Virtual milliseconds after its start from which on it says NOT_SERVING.',
      delayMs: 'Virtual milliseconds that it thinks about an answer.',
    },
  },
  Fault: {
    text: 'Fault breaks something, by wish. Creating it lets it strike; deleting it, or the end of its duration, heals it.',
    fields: whole,
  },
  FaultSpec: {
    text: 'FaultSpec is what breaks, where, when and for how long. It cannot be changed.',
    fields: {
      type: 'Name of a fault type, such as node-power-loss; kubectl get faulttypes lists them.',
      target: 'What it strikes. Types differ in what they take.',
      startAt: 'The instant at which it strikes, on the clock of the cluster. Where it is absent, or past, it strikes at once.',
      duration: 'How long it lasts from when it strikes, as 90s or 2h. Where it is absent it lasts until the object is deleted.',
      parameters: 'What this type of fault asks for; the rest stands at its defaults.',
    },
  },
  FaultParameters: { text: 'FaultParameters are those of all types of faults; each type takes its own.', fields: {} },
  FaultTarget: {
    text: 'FaultTarget is what a fault strikes.',
    fields: {
      node: 'A node by name.',
      zone: 'Every node whose label topology.kubernetes.io/zone says so.',
      host: 'Host of an image registry. Where it is empty every registry is meant.',
    },
  },
  FaultStatus: {
    text: 'FaultStatus is how far a fault has come.',
    fields: {
      phase: 'Pending, Active, Healed or Failed.',
      injectedAt: 'When it struck.',
      healsAt: 'When it will heal by itself.',
      healedAt: 'When it was healed.',
      affected: 'What it hit, such as names of nodes.',
      message: 'What came of it, in a sentence.',
    },
  },
  NodePool: {
    text: 'NodePool says how many simulated machines of one make there are. They join and leave as its count changes, and kubectl scale changes it.',
    fields: whole,
  },
  NodePoolSpec: {
    text: 'NodePoolSpec is the make of the machines of a pool and their number.',
    fields: {
      count: 'How many machines there shall be. Defaults to 1.',
      zones: 'Zones over which the machines are spread in turn.',
      region: 'The region that nodes are labelled with.',
      namePrefix: "What names of machines begin with. Defaults to the pool's name and a dash.",
      capacity: 'What a machine has. Defaults to 4 CPUs, 16Gi of memory, 110 pods and 100Gi of disk.',
      labels: 'Labels that nodes register with.',
      taints: 'Taints that nodes register with.',
      kubeletVersion: 'The version that kubelets tell.',
      instanceType: 'The type that nodes are labelled with.',
      staticPods: 'Manifests of pods that every machine runs by itself, whatever the API server says.',
    },
  },
  NodePoolStatus: { text: 'NodePoolStatus is what there is of a pool.', fields: { machines: 'Machines that exist.' } },
  Scenario: {
    text: 'Scenario is a story that can be played in a cluster: steps that act on it, and expectations that judge what happens.',
    fields: whole,
  },
  ScenarioSpec: {
    text: 'ScenarioSpec is the story.',
    fields: {
      title: 'What it is about, in a few words.',
      description: 'What it is about, at length.',
      seed: 'Seed of the cluster that is made for a run of its own.',
      cluster: 'Configuration of that cluster: nodes, zones, startTime, emulate (a release) and options under the names of their flags.',
      steps: 'What is done and waited for, one after the other. Each has a name and one of apply, delete, patch, wait and waitFor.',
      expectations: 'What must hold of which objects, and when. Each is Met or Missed at the end of a run.',
    },
  },
  ScenarioRun: { text: 'ScenarioRun plays a scenario once. Creating it begins, and its status tells how it goes and how it ended.', fields: whole },
  ScenarioRunSpec: {
    text: 'ScenarioRunSpec is what is played where. It cannot be changed.',
    fields: {
      scenario: 'Name of the Scenario.',
      cluster:
        "Own (the default) runs it in a cluster that is made for it by the scenario's configuration; Present runs it in this one, where it touches nothing that it did not make.",
    },
  },
  ScenarioRunStatus: {
    text: 'ScenarioRunStatus is how far a run has come.',
    fields: {
      phase: 'Pending, Running, Passed or Failed.',
      state: 'The step that it is at.',
      context: 'What it remembers between steps.',
      startedAt: 'When it began, on the clock of its cluster.',
      finishedAt: 'When it ended, on the clock of its cluster.',
      steps: 'Steps that have begun.',
      expectations: 'What became of each expectation.',
      message: 'Why it failed, or how it ended.',
      digest: 'Hash of the history of its cluster at the moment of the verdict: two runs of one seed have the same.',
      branch: 'Where its own cluster can be looked at, below the address of this one.',
    },
  },
  ScenarioRunStep: {
    text: 'ScenarioRunStep is a step that has begun.',
    fields: { name: 'Its name in the scenario.', startedAt: 'When it began.', finishedAt: 'When it was done.' },
  },
  ScenarioRunExpectation: {
    text: 'ScenarioRunExpectation is what became of an expectation.',
    fields: {
      name: 'Its name in the scenario.',
      result: 'Pending, Met or Missed.',
      decidedAt: 'When that was known.',
      message: 'What was found instead of what was expected.',
    },
  },
};

export function described(schemas: readonly MessageSchema[]): readonly MessageSchema[] {
  return schemas.map(describedOne);
}

/** The message with its words, which stand under the last part of its name. */
export function describedOne(schema: MessageSchema): MessageSchema {
  const said = getOwn(words, schema.name.slice(schema.name.lastIndexOf('.') + 1));
  if (said === undefined) return schema;
  const fields = schema.fields.map((field) => {
    const description = field.description ?? getOwn(said.fields, field.name);
    return description === undefined ? field : { ...field, description };
  });
  return { ...schema, description: said.text, fields };
}
