import { readFile } from 'node:fs/promises';
import type { Lab } from '@podwright/lab';

/** A CRI call in containerd's own log, the one record that later removals do not change. */
export interface ContainerdCall {
  readonly atMs: number;
  /** `stopped`: StopContainer has returned and the container has exited. */
  readonly method: 'RunPodSandbox' | 'CreateContainer' | 'StartContainer' | 'StopContainer' | 'stopped';
  /** For CreateContainer the sandbox's id, for RunPodSandbox the pod's UID, else the container's id. */
  readonly id: string;
  /** Only for CreateContainer. */
  readonly container?: { readonly name: string; readonly attempt: number };
  /** Only for StopContainer. */
  readonly graceSeconds?: number;
}

/** All calls to containerd in its log, in order. */
export async function containerdCalls({ layout }: Lab): Promise<readonly ContainerdCall[]> {
  const lines = (await readFile(layout.logFile, 'utf8')).split('\n');
  return lines.flatMap((line) => callIn(line) ?? []);
}

const run = /msg="RunPodSandbox for &PodSandboxMetadata\{Name:[^,]*,Uid:([^,]*),[^}]*\}"$/;
const create =
  /CreateContainer within sandbox \\"(\w+)\\" for container &ContainerMetadata\{Name:([^,]*),Attempt:(\d+)/;
const start = /msg="StartContainer for \\"(\w+)\\""/;
const stop = /StopContainer for \\"(\w+)\\" with timeout (\d+) \(s\)/;

const stopped = /StopContainer for \\"(\w+)\\" returns successfully/;

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
  if (call === undefined) throw new Error(`containerd logged no ${method} of ${containerId}`);
  return call;
}
