import { messageOf } from '@podwright/errors';
import { parse } from 'yaml';

/** One thing that somebody does on the node, in seconds from the start, when the objects are created. */
export type ScenarioStep =
  | {
      readonly at: number;
      /** A line for `sh`; `ROOT` is the kubelet's folder, and kubectl is there. */
      readonly run: string;
      /** What the line prints is compared under this name, line by line; their order does not count. */
      readonly show?: string;
    }
  | {
      readonly at: number;
      /** Ends the kubelet with this signal and starts it again at once. */
      readonly restart: 'SIGTERM' | 'SIGKILL';
    };

/** What happens on a node, written by hand in YAML. */
export interface Scenario {
  /** How long the node is watched, in seconds. */
  readonly seconds: number;
  /** Further fields of the KubeletConfiguration. */
  readonly configuration: Readonly<Record<string, unknown>>;
  /** Size of a disk of its own for the kubelet's root folder, in MiB; undefined: the machine's. */
  readonly rootDiskMiB: number | undefined;
  /** Size of a disk of its own for the runtime's images and snapshots, in MiB; undefined: the machine's. */
  readonly imageDiskMiB: number | undefined;
  /** Created at the beginning, in order; pods are bound to the node. */
  readonly objects: readonly ScenarioObject[];
  readonly steps: readonly ScenarioStep[];
}

export interface ScenarioObject {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec?: Readonly<Record<string, unknown>>;
}

const fields = ['seconds', 'configuration', 'rootDiskMiB', 'imageDiskMiB', 'objects', 'steps'];

/** Reads a scenario. Throws with the file, the field and its value when something is wrong. */
export function parseScenario(file: string, text: string): Scenario {
  const document = parseYaml(file, text);
  const wrong = (field: string, value: unknown, should: string): Error =>
    new Error(`${file}: ${field}: ${JSON.stringify(value)} should be ${should}`);
  if (!isRecord(document)) throw wrong('the document', document, `a map of ${fields.join(', ')}`);
  // Anchors for parts of pods may stand in fields that begin with "x-".
  const strange = Object.keys(document).find((key) => !fields.includes(key) && !key.startsWith('x-'));
  if (strange !== undefined) throw wrong(strange, document[strange], `one of the fields ${fields.join(', ')}`);
  const { seconds, configuration = {}, rootDiskMiB, imageDiskMiB, objects = [], steps = [] } = document;
  if (!isPositive(seconds)) throw wrong('seconds', seconds, 'a number above 0');
  if (!isRecord(configuration)) throw wrong('configuration', configuration, 'a map');
  if (!isSize(rootDiskMiB)) throw wrong('rootDiskMiB', rootDiskMiB, 'a number above 0');
  if (!isSize(imageDiskMiB)) throw wrong('imageDiskMiB', imageDiskMiB, 'a number above 0');
  if (!Array.isArray(objects) || !objects.every(isObject)) {
    throw wrong('objects', objects, 'a list of objects with kind and metadata.name');
  }
  if (!Array.isArray(steps)) throw wrong('steps', steps, 'a list');
  for (const [index, step] of steps.entries()) {
    if (!isStep(step))
      throw wrong(
        `steps[${index}]`,
        step,
        'a map of at (seconds) and run (a line for sh; show: a name for what it prints) or restart (SIGTERM, SIGKILL)',
      );
    if (step.at > seconds) throw wrong(`steps[${index}]`, step, `before seconds: ${seconds}`);
  }
  return { seconds, configuration, rootDiskMiB, imageDiskMiB, objects, steps: [...steps].sort((a, b) => a.at - b.at) };
}

function parseYaml(file: string, text: string): unknown {
  try {
    return parse(text, { merge: true });
  } catch (error) {
    throw new Error(`${file}: ${messageOf(error)}`, { cause: error });
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isPositive = (value: unknown): value is number =>
  typeof value === 'number' && value > 0 && Number.isFinite(value);

const isSize = (value: unknown): value is number | undefined => value === undefined || isPositive(value);

const isStep = (value: unknown): value is ScenarioStep => {
  if (!isRecord(value)) return false;
  const { at, run, show, restart, ...rest } = value;
  if (typeof at !== 'number' || !(at >= 0) || Object.keys(rest).length > 0) return false;
  if (run === undefined) return show === undefined && (restart === 'SIGTERM' || restart === 'SIGKILL');
  return typeof run === 'string' && restart === undefined && (show === undefined || typeof show === 'string');
};

const isObject = (value: unknown): value is ScenarioObject =>
  isRecord(value) &&
  typeof value['kind'] === 'string' &&
  isRecord(value['metadata']) &&
  typeof value['metadata']['name'] === 'string' &&
  (value['spec'] === undefined || isRecord(value['spec']));
