import { spawn, type ChildProcess } from 'node:child_process';
import { createWriteStream, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Pod } from '@podwright/kube-types';
import { freePort, unmountBelow } from '@podwright/lab';
import { writeAssembly, type AssemblyEntry } from './assembly-option.js';
import { accessConfiguration, operatorCredentials, type OperatorCredentials } from './operator-credentials.js';
import { ask } from './pod-answer.js';
import { programCommand } from './program-command.js';

export interface KubeletProcessOptions {
  /** The program, dist/kubelet or a single executable. */
  readonly file: string;
  /** Path of the Node.js that runs it. Default that of this process. A single executable has its own. */
  readonly node?: string;
  /** Folder for configuration, state and logs of this run; created when missing. */
  readonly dir: string;
  readonly staticPodPath: string;
  readonly runtimeEndpoint: string;
  /** Address of its ports. Default `127.0.0.1`. */
  readonly address?: string;
  /**
   * Another authority (PEM) whose client certificates the kubelet accepts, besides the operator's own: that of an API
   * server.
   */
  readonly clientAuthority?: string;
  /** Further fields of the KubeletConfiguration. */
  readonly configuration?: Readonly<Record<string, unknown>>;
  readonly flags?: readonly string[];
  /** Variables in addition to those of this process. */
  readonly env?: Readonly<Record<string, string>>;
  /** Value of `--socket`, for a program that has the flag. */
  readonly socket?: string;
  /** Further entries for the assembly file; `none`: the kubelet is upstream's, which takes no such file. */
  readonly assembly?: readonly AssemblyEntry[] | 'none';
}

/** Where a kubelet listens unless it is told otherwise. */
export const loopback = '127.0.0.1';

interface ApiAddress {
  readonly address: string;
  readonly port: number;
  readonly readOnlyPort: number;
}

/** How a process ended. */
export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

interface RunParts {
  readonly logFile: string;
  /** Resolves when the log has all output of the process. */
  readonly logged: Promise<void>;
  readonly socket: string | undefined;
  readonly operator: OperatorCredentials;
}

/** A kubelet in a process of its own, from the real executable, observed through its read-only port. */
export class KubeletProcess {
  /** Resolves when the process has ended and the log has all its output. */
  readonly ended: Promise<ProcessEnd>;
  readonly logFile: string;
  /** Credentials for its API. */
  readonly operator: OperatorCredentials;
  readonly socket: string | undefined;
  private exited: ProcessEnd | undefined;

  private constructor(
    readonly child: ChildProcess,
    private readonly dir: string,
    private readonly ports: ApiAddress,
    { logFile, logged, operator, socket }: RunParts,
  ) {
    this.logFile = logFile;
    this.socket = socket;
    this.operator = operator;
    const exited = new Promise<ProcessEnd>((resolve) =>
      child.once('exit', (code, signal) => resolve((this.exited = { code, signal }))),
    );
    this.ended = exited.then(async (end) => {
      await logged;
      return end;
    });
  }

  static async start(options: KubeletProcessOptions): Promise<KubeletProcess> {
    const { dir, staticPodPath, runtimeEndpoint } = options;
    mkdirSync(dir, { recursive: true });
    const { address = loopback, clientAuthority, flags = [], socket } = options;
    const [port, readOnlyPort] = [await freePort(address), await freePort(address)];
    const operator = await operatorCredentials(path.join(dir, 'operator'), clientAuthority ? [clientAuthority] : []);
    const joined = flags.includes('--kubeconfig');
    const configFile = path.join(dir, 'kubelet.json');
    const assemblyFile = path.join(dir, 'assembly.json');
    const configuration = {
      apiVersion: 'kubelet.config.k8s.io/v1beta1',
      kind: 'KubeletConfiguration',
      staticPodPath: path.resolve(staticPodPath),
      containerRuntimeEndpoint: runtimeEndpoint,
      podLogsDir: path.join(dir, 'pod-logs'),
      volumePluginDir: path.join(dir, 'volume-plugins'),
      ...{ address, port, readOnlyPort, ...accessConfiguration(operator, joined) },
      healthzPort: 0,
      failCgroupV1: false,
      failSwapOn: false,
      // The machine's own packet filter stays as it is.
      makeIPTablesUtilChains: false,
      // No registry has the lab's images: on a full disk, garbage collection would remove them for good.
      imageGCHighThresholdPercent: 100,
      ...options.configuration,
    };
    writeFileSync(configFile, JSON.stringify(configuration, null, 2));
    const { assembly = [] } = options;
    if (assembly !== 'none') await writeAssembly(assemblyFile, [...changesOfRun(dir), ...assembly]);
    const logFile = path.join(dir, 'kubelet.log');
    // A second run in the same folder resumes where the first was killed, and appends to its log.
    const log = createWriteStream(logFile, { flags: 'a' });
    const args = [
      '--config',
      configFile,
      '--root-dir',
      path.join(dir, 'root'),
      '--cert-dir',
      path.join(dir, 'pki'),
      ...(assembly === 'none' ? [] : ['--assembly', assemblyFile]),
      ...(socket === undefined ? [] : ['--socket', socket]),
      ...flags,
    ];
    const [program, ...first] = programCommand(options.file, options.node);
    const child = spawn(program, [...first, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...options.env },
    });
    child.stdout.pipe(log, { end: false });
    child.stderr.pipe(log, { end: false });
    const logged = new Promise<void>((resolve) => child.once('close', () => log.end(resolve)));
    return new KubeletProcess(child, dir, { address, port, readOnlyPort }, { logFile, logged, operator, socket });
  }

  /** The pods as the kubelet reports them; none while it does not answer yet. Throws when it has ended. */
  async pods(): Promise<readonly Pod[]> {
    if (this.exited !== undefined) throw new Error(this.describeEnd());
    const body = await this.ask('/pods').catch(() => '{}');
    return (JSON.parse(body) as { items?: readonly Pod[] | null }).items ?? [];
  }

  /** Host and port of the read-only port. */
  get readOnlyAddress(): string {
    return `${this.ports.address}:${this.ports.readOnlyPort}`;
  }

  /** Body of a read-only endpoint; rejects when the request fails. */
  ask(path: string): Promise<string> {
    return ask(`http://${this.readOnlyAddress}${path}`, 5_000);
  }

  /** HTTPS URL of its API; see {@link operator} for credentials. */
  get url(): string {
    return `https://${this.ports.address}:${this.ports.port}`;
  }

  /** Sends SIGTERM; containers keep running. Resolves when the process has ended. */
  async stop(): Promise<void> {
    await this.end('SIGTERM');
  }

  /**
   * Unmounts what a stopped kubelet leaves for the containers: its root directory, and volumes below. Call it when these
   * containers are gone, as they keep disks of volumes busy.
   */
  async unmount(say: (line: string) => void): Promise<void> {
    if (process.platform === 'linux') await unmountBelow([path.join(this.dir, 'root')], say);
  }

  /** Sends a terminating signal and resolves with how the process ended. Also works after its end. */
  end(signal: NodeJS.Signals): Promise<ProcessEnd> {
    if (this.exited === undefined) this.child.kill(signal);
    return this.ended;
  }

  get running(): boolean {
    return this.exited === undefined;
  }

  /** The last lines of the log, for an error message. */
  lastLines(count: number): string {
    return readFileSync(this.logFile, 'utf8').trimEnd().split('\n').slice(-count).join('\n');
  }

  private describeEnd(): string {
    const { code, signal } = this.exited ?? {};
    return `the kubelet ended with ${signal ?? `exit code ${code}`}; the end of its log (${this.logFile}):\n${this.lastLines(20)}`;
  }
}

// The KubeletConfiguration has no field for the folder of container log links; this keeps them out of /var/log.
function changesOfRun(dir: string): readonly AssemblyEntry[] {
  const containerLogsDir = path.join(dir, 'container-logs');
  return [
    // Other kubelets may run on this machine, so this one must not change kernel settings.
    { name: '@podwright/cgroup', config: { kernelTunables: 'warn' } },
    { name: '@podwright/container-runtime', config: { containerLogsDir } },
    { name: '@podwright/container-gc', config: { containerLogsDir } },
    { name: '@podwright/container-logs', config: { containerLogsDir } },
  ];
}
