import { readFile } from 'node:fs/promises';
import type { Lab } from '@podwright/lab';

/** A CRI call in the runtime's own log, the one record that later removals do not change. */
export interface RuntimeCall {
  readonly atMs: number;
  /** `stopped`: StopContainer has returned and the container has exited. */
  readonly method: 'RunPodSandbox' | 'CreateContainer' | 'StartContainer' | 'StopContainer' | 'stopped';
  /** For RunPodSandbox and CreateContainer the pod's name, else the container's id. */
  readonly about: string;
  /** Only for StopContainer. */
  readonly graceSeconds?: number;
}

/** All calls to the runtime in its log, in order. */
export async function runtimeCalls({ layout, runtime }: Lab): Promise<readonly RuntimeCall[]> {
  const lines = (await readFile(layout.logFile, 'utf8')).split('\n');
  return runtime === 'cri-o' ? lines.flatMap((line) => callIn(line, crio) ?? []) : callsOfContainerd(lines);
}

type Patterns = Readonly<Record<RuntimeCall['method'], RegExp>>;

const crio: Patterns = {
  RunPodSandbox: /msg="Running pod sandbox: [^/]*\/([^/]*)\/POD"/,
  CreateContainer: /msg="Created container \w+: [^/]*\/([^/]*)\//,
  StartContainer: /msg="Starting container: (\w+)"/,
  StopContainer: /msg="Stopping container: (\w+) \(timeout: (\d+)s\)"/,
  stopped: /msg="Stopped container (\w+):/,
};

const containerd: Patterns = {
  RunPodSandbox: /msg="RunPodSandbox for &PodSandboxMetadata\{Name:([^,]*),[^}]*\}"$/,
  // It names the sandbox, not the pod.
  CreateContainer: /CreateContainer within sandbox \\"(\w+)\\" for container &ContainerMetadata\{/,
  StartContainer: /msg="StartContainer for \\"(\w+)\\""/,
  StopContainer: /StopContainer for \\"(\w+)\\" with timeout (\d+)/,
  stopped: /StopContainer for \\"(\w+)\\" returns successfully/,
};

const sandboxOfContainerd =
  /RunPodSandbox for &PodSandboxMetadata\{Name:([^,]*),[^}]*\} returns sandbox id \\"(\w+)\\"/;

function callsOfContainerd(lines: readonly string[]): readonly RuntimeCall[] {
  const pods = new Map<string, string>();
  return lines.flatMap((line) => {
    const [, pod, sandbox] = sandboxOfContainerd.exec(line) ?? [];
    if (pod !== undefined && sandbox !== undefined) pods.set(sandbox, pod);
    const call = callIn(line, containerd);
    if (call?.method !== 'CreateContainer') return call ?? [];
    return { ...call, about: pods.get(call.about) ?? call.about };
  });
}

function callIn(line: string, patterns: Patterns): RuntimeCall | undefined {
  const time = /^time="([^"]*)"/.exec(line)?.[1];
  if (time === undefined) return undefined;
  for (const [method, pattern] of Object.entries(patterns) as [RuntimeCall['method'], RegExp][]) {
    const [, about, grace] = pattern.exec(line) ?? [];
    if (about === undefined) continue;
    return { atMs: Date.parse(time), method, about, ...(grace !== undefined && { graceSeconds: Number(grace) }) };
  }
  return undefined;
}

/** The first call of a method about a pod or container. Throws when there is none. */
export async function callAbout(lab: Lab, method: RuntimeCall['method'], about: string): Promise<RuntimeCall> {
  const call = (await runtimeCalls(lab)).find((each) => each.method === method && each.about === about);
  if (call === undefined) throw new Error(`the runtime logged no ${method} of ${about}`);
  return call;
}

/** How the runtime was first told to stop a container, and for how long that container then lived on. */
export async function stopOf(lab: Lab, id: string): Promise<RuntimeCall & { readonly tookMs: number }> {
  const asked = await callAbout(lab, 'StopContainer', id);
  return { ...asked, tookMs: (await callAbout(lab, 'stopped', id)).atMs - asked.atMs };
}
