import { spawn, type ChildProcess } from 'node:child_process';
import { createWriteStream, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import type { Pod } from '@podwright/kube-types';
import { unmountBelow } from '@podwright/lab';
import { accessConfiguration, operatorCredentials, type OperatorCredentials } from './operator-credentials.js';
import { ask } from './pod-answer.js';

export interface KubeletProcessOptions {
  /** The executable, dist/kubelet. */
  readonly file: string;
  /** Folder for configuration, state and logs of this run; made when missing. */
  readonly dir: string;
  readonly staticPodPath: string;
  readonly runtimeEndpoint: string;
  /** Where it listens. Default `127.0.0.1`. */
  readonly address?: string;
  /** An authority, PEM, whose client certificates are believed beside the operator's own: that of an API server. */
  readonly clientAuthority?: string;
  /** Further fields of the KubeletConfiguration. */
  readonly configuration?: Readonly<Record<string, unknown>>;
  readonly flags?: readonly string[];
  /** Further changes of the assembly file. */
  readonly assembly?: readonly Readonly<Record<string, unknown>>[];
}

interface ApiAddress {
  readonly address: string;
  readonly port: number;
  readonly readOnlyPort: number;
}

/** How a process has ended. */
export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A kubelet that runs beside us, from the real executable, watched through its read-only port. */
export class KubeletProcess {
  /** Resolves when the process has ended and all that it wrote is in its log. */
  readonly ended: Promise<ProcessEnd>;
  private exited: ProcessEnd | undefined;

  private constructor(
    readonly child: ChildProcess,
    readonly logFile: string,
    private readonly dir: string,
    private readonly ports: ApiAddress,
    /** What its API takes. */
    readonly operator: OperatorCredentials,
    logged: Promise<void>,
  ) {
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
    const { address = '127.0.0.1', clientAuthority, flags = [] } = options;
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
      ...{ address, port, readOnlyPort, ...accessConfiguration(operator, joined) },
      healthzPort: 0,
      failCgroupV1: false,
      failSwapOn: false,
      // Images of the lab are in no registry: on a machine with a full disk they would be gone for good.
      imageGCHighThresholdPercent: 100,
      ...options.configuration,
    };
    writeFileSync(configFile, JSON.stringify(configuration, null, 2));
    writeFileSync(assemblyFile, JSON.stringify(assemblyOf(dir, options.assembly ?? []), null, 2));
    const logFile = path.join(dir, 'kubelet.log');
    // A second run in the same folder goes on where the first one was killed, in its log as well.
    const log = createWriteStream(logFile, { flags: 'a' });
    const args = [
      '--config',
      configFile,
      '--root-dir',
      path.join(dir, 'root'),
      '--cert-dir',
      path.join(dir, 'pki'),
      '--assembly',
      assemblyFile,
      ...flags,
    ];
    const child = spawn(process.execPath, [options.file, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.pipe(log, { end: false });
    child.stderr.pipe(log, { end: false });
    const logged = new Promise<void>((resolve) => child.once('close', () => log.end(resolve)));
    return new KubeletProcess(child, logFile, dir, { address, port, readOnlyPort }, operator, logged);
  }

  /** The pods as the kubelet sees them; none while it does not answer yet. Throws when it has ended. */
  async pods(): Promise<readonly Pod[]> {
    if (this.exited !== undefined) throw new Error(this.describeEnd());
    const body = await this.ask('/pods').catch(() => '{}');
    return (JSON.parse(body) as { items?: readonly Pod[] | null }).items ?? [];
  }

  /** Host and port of the read-only port. */
  get readOnlyAddress(): string {
    return `${this.ports.address}:${this.ports.readOnlyPort}`;
  }

  /** What the read-only port answers at a path; rejects when it does not. */
  ask(path: string): Promise<string> {
    return ask(`http://${this.readOnlyAddress}${path}`, 5_000);
  }

  /** Of its API: HTTPS, for {@link operator}. */
  get url(): string {
    return `https://${this.ports.address}:${this.ports.port}`;
  }

  /** SIGTERM; containers keep running. Resolves when the process has ended. */
  async stop(say: (line: string) => void): Promise<void> {
    await this.end('SIGTERM');
    // The root directory stays a shared mount for the containers' sake, with the volumes in memory below it. Here nothing
    // uses either any more: containers have the volumes in mount namespaces of their own.
    if (process.platform === 'linux') await unmountBelow([path.join(this.dir, 'root')], say);
  }

  /** Sends a signal that ends it; resolves with how it ended, also when it had ended before. */
  end(signal: NodeJS.Signals): Promise<ProcessEnd> {
    if (this.exited === undefined) this.child.kill(signal);
    return this.ended;
  }

  get running(): boolean {
    return this.exited === undefined;
  }

  /** The end of the log, for a failure's report. */
  lastLines(count: number): string {
    return readFileSync(this.logFile, 'utf8').trimEnd().split('\n').slice(-count).join('\n');
  }

  private describeEnd(): string {
    const { code, signal } = this.exited ?? {};
    return `the kubelet ended with ${signal ?? `exit code ${code}`}; its last words (all in ${this.logFile}):\n${this.lastLines(20)}`;
  }
}

// The container log links have no field in the KubeletConfiguration; this run keeps them away from /var/log.
function assemblyOf(dir: string, further: readonly object[]): unknown {
  const containerLogsDir = path.join(dir, 'container-logs');
  return {
    apiVersion: 'assembly.podwright.dev/v1alpha1',
    kind: 'Assembly',
    modules: [
      // It is not the only kubelet of the machine, nor the owner of its kernel.
      { name: '@podwright/cgroup', config: { kernelTunables: 'warn' } },
      { name: '@podwright/container-runtime', config: { containerLogsDir } },
      { name: '@podwright/container-gc', config: { containerLogsDir } },
      { name: '@podwright/container-logs', config: { containerLogsDir } },
      ...further,
    ],
  };
}

/** A TCP port that nobody listens on now, of loopback unless told otherwise. */
export async function freePort(address = '127.0.0.1'): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, address, resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return port;
}
