import { labSupport, startLab } from '@podwright/lab';
import type { StartOptions } from './options.js';

/** Where the pods will run. */
export interface RuntimeChoice {
  readonly kind: 'lab' | 'given' | 'simulated';
  readonly endpoint: string;
  readonly description: string;
  readonly cgroupRoot: string;
  readonly nodeIp: string | undefined;
  /** What to say when it has not reached the registry of an image. */
  readonly unreachedRegistryHint?: string;
  /** The command that ends it and the pods on it once it was left; absent: it is not ours. */
  readonly endCommand?: string;
  /** Takes it down, as far as it is ours. */
  stop(): Promise<void>;
  /** It stays after this run. */
  leave(): Promise<void>;
}

const labName = 'start';

/** The runtime that the user named, else a private containerd, else a simulated one where neither can be. */
export async function findRuntime(options: StartOptions, say: (line: string) => void): Promise<RuntimeChoice> {
  const nothing = async (): Promise<void> => undefined;
  if (options.runtimeEndpoint !== undefined) {
    const endpoint = options.runtimeEndpoint;
    return {
      kind: 'given',
      endpoint,
      description: endpoint,
      cgroupRoot: '/',
      nodeIp: undefined,
      stop: nothing,
      leave: nothing,
    };
  }
  const support = options.simulated ? ({ ok: false, reason: 'as asked with --simulated' } as const) : labSupport();
  if (!support.ok) {
    say(`no real containers (${support.reason}): the pods run on a simulated runtime`);
    return {
      kind: 'simulated',
      endpoint: '',
      description: 'a simulated runtime',
      cgroupRoot: '/',
      nodeIp: undefined,
      stop: nothing,
      leave: nothing,
    };
  }
  say(`starting a private containerd ${options.containerd} (downloads it on the first run) ...`);
  const lab = await startLab({ containerd: options.containerd, name: labName, owned: true, log: say });
  return {
    kind: 'lab',
    endpoint: lab.endpoint,
    description: `containerd at ${lab.endpoint}`,
    cgroupRoot: lab.cgroupRoot,
    nodeIp: lab.network.gateway,
    unreachedRegistryHint: `this containerd reaches no registry; it has ${lab.images.busybox}`,
    endCommand: `npm run lab -- down --name ${labName}`,
    stop: () => lab.stop(),
    leave: () => lab.release(),
  };
}
