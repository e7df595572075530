import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { csiDrivers, type KubeClient } from '@podwright/kube-client-interface';
import { SocketServer } from '@podwright/grpc';
import type { PluginInfo } from '@podwright/plugin-watcher-interface';
import { RegistrationSocket } from '@podwright/test-device-plugin';
// oxlint-disable-next-line @nx/enforce-module-boundaries -- generated files are no part of the package's surface
import { nodeMethods } from '../../libs/testing/test-csi-driver/src/generated/node-server-codecs.js';

type Methods = typeof nodeMethods;
type AnswerOf<Call extends keyof Methods> = Parameters<Methods[Call]['encode']>[0];
type RequestOf<Call extends keyof Methods> = ReturnType<Methods[Call]['decode']>;

/** What the driver answers; it does nothing else, so a call without an answer succeeds and is empty. */
export type CsiAnswers = {
  readonly [Call in keyof Methods]?: (request: RequestOf<Call>) => Promise<AnswerOf<Call>> | AnswerOf<Call>;
};

/** A CSI driver that answers what a case says. */
export class HostileCsiDriver {
  private constructor(
    private readonly server: SocketServer,
    private readonly registration: RegistrationSocket,
  ) {}

  /** Serves, and registers under `info`; by default as `name`, with its own socket. */
  static async start(
    root: string,
    name: string,
    answers: CsiAnswers,
    info: Partial<PluginInfo> = {},
  ): Promise<HostileCsiDriver> {
    const endpoint = path.join(root, 'plugins', name, 'csi.sock');
    await mkdir(path.dirname(endpoint), { recursive: true });
    const server = new SocketServer(endpoint);
    for (const [call, method] of Object.entries(nodeMethods)) {
      const answer = answers[call as keyof Methods] as ((request: unknown) => object) | undefined;
      server.unary(method as Methods['nodeGetInfo'], (request) => (answer?.(request) ?? {}) as AnswerOf<'nodeGetInfo'>);
    }
    await server.listen();
    const own: PluginInfo = { type: 'CSIPlugin', name, endpoint, supportedVersions: ['1.9.0'] };
    const socket = path.join(root, 'plugins_registry', `${name}-reg.sock`);
    const registration = new RegistrationSocket({ socket, info: { ...own, ...info } });
    await registration.listen();
    return new HostileCsiDriver(server, registration);
  }

  /** What the kubelet said to the registration; undefined before. */
  get accepted(): boolean | undefined {
    return this.registration.statuses.at(-1)?.pluginRegistered;
  }

  async stop(): Promise<void> {
    await this.registration.close();
    this.server.close();
    await rm(path.dirname(this.server.socket), { recursive: true, force: true });
  }
}

/** Lets pods use the driver without a claim. */
export async function allowInline(admin: KubeClient, name: string): Promise<void> {
  const spec = {
    attachRequired: false,
    podInfoOnMount: true,
    fsGroupPolicy: 'File',
    volumeLifecycleModes: ['Ephemeral'],
  };
  await admin.create(csiDrivers, {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSIDriver',
    metadata: { name },
    spec,
  } as object);
}
