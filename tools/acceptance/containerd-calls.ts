import { readFile } from 'node:fs/promises';
import type { Lab } from '@podwright/lab';

/**
 * A CRI call in the runtime's own log, the one record that later removals do not change. CRI-O's has no sandboxes.
 */
export interface ContainerdCall {
  readonly atMs: number;
  /** `stopped`: StopContainer has returned and the container has exited. */
  readonly method: 'RunPodSandbox' | 'CreateContainer' | 'StartContainer' | 'StopContainer' | 'stopped';
  /** For RunPodSandbox the pod's UID, for containerd's CreateContainer the sandbox's id, else the container's id. */
  readonly id: string;
  /** Only for CreateContainer of containerd. */
  readonly container?: { readonly name: string; readonly attempt: number };
  /** Only for StopContainer. */
  readonly graceSeconds?: number;
}

/** All calls to the runtime in its log, in order. */
export async function containerdCalls({ layout }: Lab): Promise<readonly ContainerdCall[]> {
  const lines = (await readFile(layout.logFile, 'utf8')).split('\n');
  return lines.flatMap((line) => callIn(line) ?? []);
}

const run = /msg="RunPodSandbox for &PodSandboxMetadata\{Name:[^,]*,Uid:([^,]*),[^}]*\}"$/;
const create =
  /CreateContainer within sandbox \\"(\w+)\\" for container &ContainerMetadata\{Name:([^,]*),Attempt:(\d+)/;
const start = /msg="(?:StartContainer for \\"|Starting container: )(\w+)(?:\\""|")/;
// CRI-O names neither sandbox nor attempt.
const createdByCrio = /msg="Created container (\w+): /;
const stop = /(?:StopContainer for \\"|Stopping container: )(\w+)(?:\\" with | \()timeout:? (\d+)/;

const stopped = /(?:StopContainer for \\"|Stopped container )(\w+)(?:\\" returns successfully|:)/;

function callIn(line: string): ContainerdCall | undefined {
  const time = /^time="([^"]*)"/.exec(line)?.[1];
  if (time === undefined) return undefined;
  const atMs = Date.parse(time);
  const sandbox = run.exec(line);
  if (sandbox !== null) return { atMs, method: 'RunPodSandbox', id: sandbox[1] ?? '' };
  const created = create.exec(line);
  if (created !== null) {
    const [, id = '', name = '', attempt] = created;
    return { atMs, method: 'CreateContainer', id, container: { name, attempt: Number(attempt) } };
  }
  const made = createdByCrio.exec(line);
  if (made !== null) return { atMs, method: 'CreateContainer', id: made[1] ?? '' };
  const started = start.exec(line);
  if (started !== null) return { atMs, method: 'StartContainer', id: started[1] ?? '' };
  const stopping = stop.exec(line);
  if (stopping !== null)
    return { atMs, method: 'StopContainer', id: stopping[1] ?? '', graceSeconds: Number(stopping[2]) };
  const done = stopped.exec(line);
  return done === null ? undefined : { atMs, method: 'stopped', id: done[1] ?? '' };
}

/** The first call of a method about a container. Throws when there is none. */
export async function callAbout(
  lab: Lab,
  method: ContainerdCall['method'],
  containerId: string,
): Promise<ContainerdCall> {
  const call = (await containerdCalls(lab)).find(({ method: name, id }) => name === method && id === containerId);
  if (call === undefined) throw new Error(`the runtime logged no ${method} of ${containerId}`);
  return call;
}
