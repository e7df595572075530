import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { ServerUnaryCall } from '@grpc/grpc-js';
import { createToken, type Lifecycle } from '@podwright/assembly-interface';
import type { Empty, RegisterRequest } from '@podwright/device-manager-interface';
import { KubeletError, messageOf } from '@podwright/errors';
import { SocketServer } from '@podwright/grpc';
import type { Logger } from '@podwright/logging';
import { registrationMethods } from '../generated/server-codecs.js';

export interface RegistrationServerOptions {
  /** Of the sockets of the plugins and the kubelet. */
  readonly directory: string;
  readonly logger: Logger;
  /** The plugin receives a rejection as the error of its call. `signal` aborts when the plugin stops waiting. */
  readonly register: (request: RegisterRequest, signal: AbortSignal) => Promise<void>;
}

/** Takes the registrations of plugins between its start and its stop. */
export type ServeDeviceRegistration = (
  options: RegistrationServerOptions,
) => Pick<Lifecycle, 'start'> & { stop(): void };

/** Optional: without it plugins register on the kubelet's socket. */
export const DEVICE_REGISTRATION = createToken<ServeDeviceRegistration>('kubelet.device-manager.registration/v1');

const socketName = 'kubelet.sock';
// Enough for a registration, which is four short texts.
const maxRequestBytes = 64 * 1024;

/**
 * The socket where device plugins register. Source: kubernetes v1.36
 * pkg/kubelet/cm/devicemanager/plugin/v1beta1/server.go.
 */
export class RegistrationServer {
  private server: SocketServer | undefined;

  constructor(private readonly options: RegistrationServerOptions) {}

  /**
   * Removes all sockets in the directory: a plugin that watches it sees the kubelet's new socket and registers again.
   */
  async start(): Promise<void> {
    const { directory } = this.options;
    const socket = path.join(directory, socketName);
    try {
      await mkdir(directory, { recursive: true, mode: 0o750 });
      for (const name of await readdir(directory)) await this.removeSocket(path.join(directory, name));
      const server = new SocketServer(socket, { maxRequestBytes });
      server.unary(registrationMethods.register, (request, call) => this.answer(request, call));
      await server.listen();
      this.server = server;
    } catch (error) {
      const problem = `cannot serve the registration of device plugins on ${socket}: ${messageOf(error)}`;
      throw new KubeletError(problem, { code: 'unavailable', cause: error });
    }
  }

  stop(): void {
    this.server?.close();
    this.server = undefined;
  }

  private async answer(request: RegisterRequest, call: ServerUnaryCall<RegisterRequest, Empty>): Promise<Empty> {
    const gone = new AbortController();
    call.on('cancelled', () => gone.abort(new KubeletError('the plugin has gone', { code: 'cancelled' })));
    try {
      await this.options.register(request, gone.signal);
      return {};
    } catch (error) {
      const { resourceName, endpoint } = request;
      this.options.logger.error('Registration of a device plugin failed', { resourceName, endpoint, error });
      throw error;
    }
  }

  private async removeSocket(file: string): Promise<void> {
    const entry = await stat(file).catch((error: unknown) => {
      this.options.logger.error('Failed to stat file', { file, error });
      return undefined;
    });
    if (entry?.isSocket() === true) await rm(file, { force: true });
  }
}
