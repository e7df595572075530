import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { Client, credentials } from '@grpc/grpc-js';
import protobuf from 'protobufjs';
import type { Lab } from './lab.js';

const PROTO = 'libs/runtime/cri-client/interface/proto/runtime.v1.proto';

export interface PodOptions {
  readonly image?: string;
  readonly command?: readonly string[];
  /** Maps this port of the machine to the same port of the pod. */
  readonly hostPort?: number;
}

export interface StartedPod {
  readonly sandboxId: string;
  readonly containerId: string;
  readonly ip: string;
}

/** Untyped CRI calls from the protocol file, to test a lab without the libraries under test. */
export class CriCalls {
  private constructor(
    private readonly client: Client,
    private readonly schema: protobuf.Root,
    private readonly lab: Lab,
  ) {}

  static async connect(lab: Lab, repositoryRoot: string): Promise<CriCalls> {
    const text = await readFile(path.join(repositoryRoot, PROTO), 'utf8');
    const { root } = protobuf.parse(text, { keepCase: true });
    // grpc-js derives an authority from the socket path, which containerd refuses.
    const options = { 'grpc.default_authority': 'localhost' };
    return new CriCalls(new Client(lab.endpoint, credentials.createInsecure(), options), root, lab);
  }

  close(): void {
    this.client.close();
  }

  /** Makes one unary call, such as `RuntimeService/Version`. Requests and replies have the protocol's field names. */
  async call(method: string, request: object = {}): Promise<Record<string, unknown>> {
    const [service = '', name = ''] = method.split('/');
    const { requestType, responseType } = this.schema.lookupService(`runtime.v1.${service}`).methods[name] ?? {};
    const input = this.schema.lookupType(`runtime.v1.${requestType}`);
    const output = this.schema.lookupType(`runtime.v1.${responseType}`);
    return new Promise((resolve, reject) => {
      this.client.makeUnaryRequest(
        `/runtime.v1.${service}/${name}`,
        (value: object) => Buffer.from(input.encode(input.fromObject(value)).finish()),
        (bytes) => output.toObject(output.decode(bytes), { enums: String, longs: Number, defaults: true }),
        request,
        { deadline: Date.now() + 60_000 },
        (error, reply) => (error === null ? resolve(reply ?? {}) : reject(error)),
      );
    });
  }

  /** Starts a pod with one container in the lab's cgroup, as a kubelet would with the lab's `cgroupRoot`. */
  async startPod(name: string, { image, command, hostPort }: PodOptions = {}): Promise<StartedPod> {
    const logs = path.join(this.lab.dir, 'logs', name);
    await mkdir(logs, { recursive: true });
    const config = {
      metadata: { name, uid: `uid-${name}`, namespace: 'default', attempt: 0 },
      hostname: name,
      log_directory: logs,
      port_mappings: hostPort === undefined ? [] : [{ protocol: 0, container_port: hostPort, host_port: hostPort }],
      linux: { cgroup_parent: `${this.lab.cgroupRoot}/kubepods/besteffort/poduid-${name}` },
    };
    const sandboxId = text(await this.call('RuntimeService/RunPodSandbox', { config }), 'pod_sandbox_id');
    const created = await this.call('RuntimeService/CreateContainer', {
      pod_sandbox_id: sandboxId,
      sandbox_config: config,
      config: {
        metadata: { name: 'main' },
        image: { image: image ?? this.lab.images.busybox },
        command: command ?? ['sleep', '100000'],
        log_path: 'main.log',
      },
    });
    const containerId = text(created, 'container_id');
    await this.call('RuntimeService/StartContainer', { container_id: containerId });
    const { status } = await this.call('RuntimeService/PodSandboxStatus', { pod_sandbox_id: sandboxId });
    return { sandboxId, containerId, ip: (status as { network: { ip: string } }).network.ip };
  }

  /** Runs a program in a container. Resolves with its output; rejects when it fails. */
  async exec(pod: StartedPod, cmd: readonly string[]): Promise<string> {
    const reply = await this.call('RuntimeService/ExecSync', { container_id: pod.containerId, cmd, timeout: 10 });
    const { stdout, stderr, exit_code: code } = reply as { stdout: Uint8Array; stderr: Uint8Array; exit_code: number };
    if (code !== 0) throw new Error(`${cmd.join(' ')} exited with ${code}: ${Buffer.from(stderr).toString()}`);
    return Buffer.from(stdout).toString();
  }

  async removePod({ sandboxId }: StartedPod): Promise<void> {
    await this.call('RuntimeService/StopPodSandbox', { pod_sandbox_id: sandboxId });
    await this.call('RuntimeService/RemovePodSandbox', { pod_sandbox_id: sandboxId });
  }
}

function text(reply: Record<string, unknown>, field: string): string {
  const value = reply[field];
  if (typeof value !== 'string') throw new Error(`the reply has no ${field}`);
  return value;
}
