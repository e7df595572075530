import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { Server, ServerCredentials, status, type sendUnaryData, type ServerUnaryCall } from '@grpc/grpc-js';
import type { Empty, RegisterRequest } from '@podwright/device-manager-interface';
import { KubeletError, messageOf } from '@podwright/errors';
import type { Logger } from '@podwright/logging';
import { registrationMethods } from './generated/server-codecs.js';

export interface RegistrationServerOptions {
  readonly directory: string;
  readonly logger: Logger;
  /** A rejection is what the plugin gets. `signal`: the plugin does not wait any more. */
  readonly register: (request: RegisterRequest, signal: AbortSignal) => Promise<void>;
}

const socketName = 'kubelet.sock';
// A registration is four short texts.
const maxRequestBytes = 64 * 1024;

/** Where device plugins register. Source: kubernetes v1.36 pkg/kubelet/cm/devicemanager/plugin/v1beta1/server.go. */
export class RegistrationServer {
  private server: Server | undefined;

  constructor(private readonly options: RegistrationServerOptions) {}

  /** Removes all sockets in the folder: a plugin that watches it sees the kubelet's appear, and registers anew. */
  async start(): Promise<void> {
    const { directory } = this.options;
    const socket = path.join(directory, socketName);
    try {
      await mkdir(directory, { recursive: true, mode: 0o750 });
      for (const name of await readdir(directory)) await this.removeSocket(path.join(directory, name));
      // Channelz stays on: without it forceShutdown of grpc-js 1.14 leaves the connections open.
      const server = new Server({ 'grpc.max_receive_message_length': maxRequestBytes });
      server.addService(
        {
          register: {
            path: registrationMethods.register.path,
            requestStream: false,
            responseStream: false,
            requestSerialize: neverSent,
            requestDeserialize: registrationMethods.register.decode,
            responseSerialize: registrationMethods.register.encode,
            responseDeserialize: neverSent,
          },
        },
        { register: this.answer },
      );
      await new Promise<void>((resolve, reject) =>
        server.bindAsync(`unix:${socket}`, ServerCredentials.createInsecure(), (error) =>
          error === null ? resolve() : reject(error),
        ),
      );
      this.server = server;
    } catch (error) {
      const problem = `cannot serve the registration of device plugins on ${socket}: ${messageOf(error)}`;
      throw new KubeletError(problem, { code: 'unavailable', cause: error });
    }
  }

  stop(): void {
    this.server?.forceShutdown();
    this.server = undefined;
  }

  private readonly answer = (call: ServerUnaryCall<RegisterRequest, Empty>, respond: sendUnaryData<Empty>): void => {
    const gone = new AbortController();
    call.on('cancelled', () => gone.abort(new KubeletError('the plugin has gone', { code: 'cancelled' })));
    this.options.register(call.request, gone.signal).then(
      () => respond(null, {}),
      (error: unknown) => {
        const { resourceName, endpoint } = call.request;
        this.options.logger.error('Registration of a device plugin failed', { resourceName, endpoint, error });
        respond({ code: status.UNKNOWN, details: messageOf(error) });
      },
    );
  };

  private async removeSocket(file: string): Promise<void> {
    const entry = await stat(file).catch((error: unknown) => {
      this.options.logger.error('Failed to stat file', { file, error });
      return undefined;
    });
    if (entry?.isSocket() === true) await rm(file, { force: true });
  }
}

function neverSent(): never {
  throw new KubeletError('a server sends no requests', { code: 'internal' });
}
