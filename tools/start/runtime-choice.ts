import { labSupport, startLab, wantsCrio } from '@podwright/lab';
import type { StartOptions } from './options.js';
import { refuseOtherPods } from './other-pods.js';

/** The runtime for the pods. */
export interface RuntimeChoice {
  readonly kind: 'lab' | 'given' | 'simulated';
  readonly endpoint: string;
  readonly description: string;
  readonly cgroupRoot: string;
  readonly nodeIp: string | undefined;
  /** Variables for the kubelet, and for drivers of volumes: the PATH with the tools of the lab. */
  readonly env?: Readonly<Record<string, string>>;
  /** Where the runtime looks for CDI devices, when that is not its default. */
  readonly cdiDir?: string;
  /** Hint for an image whose registry the runtime could not reach. */
  readonly unreachedRegistryHint?: string;
  /** Command that removes the runtime with its pods after `--keep`; absent when the user provided the runtime. */
  readonly endCommand?: string;
  /** Stops the runtime if this run started it. */
  stop(): Promise<void>;
  /** Leaves the runtime running after this run. */
  leave(): Promise<void>;
}

const labName = 'start';

/**
 * Chooses the runtime: the one that the user named, else a private containerd or CRI-O, else a simulated one where
 * they cannot run.
 */
export async function findRuntime(options: StartOptions, say: (line: string) => void): Promise<RuntimeChoice> {
  const nothing = async (): Promise<void> => undefined;
  if (options.runtimeEndpoint !== undefined) {
    const endpoint = options.runtimeEndpoint;
    await refuseOtherPods(options.kubeletFlags);
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
  const { containerd } = options;
  const wanted = containerd === undefined && wantsCrio() ? 'CRI-O' : `containerd ${containerd ?? '2'}`;
  say(`starting a private ${wanted} (downloads ${wanted === 'CRI-O' ? 'its tools' : 'it'} on the first run) ...`);
  const lab = await startLab({ name: labName, owned: true, log: say, ...(containerd !== undefined && { containerd }) });
  const program = lab.runtime === 'cri-o' ? 'CRI-O' : 'containerd';
  return {
    kind: 'lab',
    endpoint: lab.endpoint,
    description: `${program} at ${lab.endpoint}`,
    cgroupRoot: lab.cgroupRoot,
    nodeIp: lab.network.gateway,
    env: pathsOf(lab.env),
    cdiDir: lab.layout.cdiDir,
    unreachedRegistryHint: `this ${program} cannot reach a registry; it has the image ${lab.images.busybox}`,
    endCommand: `npm run lab -- down --name ${labName}`,
    stop: () => lab.stop(),
    leave: () => lab.release(),
  };
}

// Without the addresses of the runtime, which the kubelet gets from its configuration.
function pathsOf(env: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => name.endsWith('PATH')));
}
