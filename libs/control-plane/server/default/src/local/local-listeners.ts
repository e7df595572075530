import { readFile } from 'node:fs/promises';
import { KubeletError, messageOf } from '@podwright/errors';
import type { Logger } from '@podwright/logging';
import type { Listener, ListenerOptions } from '../listener.js';
import type { ServerConfig } from '../server-config.js';
import type { ServingContext } from '../tls/serving-context.js';
import { splitAddress } from './local-address.js';

/** Opens a listener of the local API; the server fills in what all of its listeners have in common. */
export type LocalListener = (
  name: string,
  options: Pick<ListenerOptions, 'fields' | 'bind' | 'tls' | 'holdUntil' | 'onHandshakeError'>,
) => Listener;

export interface LocalListenersParts {
  readonly logger: Logger;
  /** The serving certificate; undefined: there is none. */
  readonly context: ServingContext | undefined;
  readonly create: LocalListener;
}

/**
 * The listeners of the local API: a socket for root, and a port for clients with a certificate. Both admit every request
 * that reaches them.
 */
export class LocalListeners {
  private socket: Listener | undefined;
  private port: Listener | undefined;

  constructor(
    private readonly parts: LocalListenersParts,
    private readonly config: Pick<
      ServerConfig,
      'localSocket' | 'localSocketOptional' | 'localAddress' | 'localClientCaFile'
    >,
  ) {}

  async start(): Promise<void> {
    const { localSocket, localAddress } = this.config;
    if (localSocket !== '') await this.openSocket(localSocket);
    if (localAddress !== '') await this.openPort(localAddress);
  }

  async close(): Promise<void> {
    this.parts.context?.stop();
    const listeners = [this.socket, this.port];
    this.socket = undefined;
    this.port = undefined;
    await Promise.all(listeners.map((listener) => listener?.close()));
  }

  addresses(): { readonly localSocket?: string; readonly local?: string } {
    return {
      ...(this.socket !== undefined && { localSocket: this.socket.address() }),
      ...(this.port !== undefined && { local: this.port.address() }),
    };
  }

  private async openSocket(socketPath: string): Promise<void> {
    const listener = this.parts.create('the local API', {
      fields: 'localSocket (--socket)',
      bind: { socketPath },
    });
    try {
      await listener.listen();
    } catch (error) {
      if (!this.config.localSocketOptional) throw error;
      this.parts.logger.warn('The kubelet starts without the socket of its local API: podwright cannot ask it', {
        error,
      });
      return;
    }
    this.parts.logger.info('Starting to listen for the local API', { socket: socketPath });
    this.socket = listener;
  }

  private async openPort(address: string): Promise<void> {
    const { context, logger } = this.parts;
    if (context === undefined)
      throw new KubeletError(
        `cannot listen for the local API on ${address}: there is no serving certificate; configure one, or leave localAddress empty and use localSocket`,
        { code: 'failed-precondition' },
      );
    const tls = { ...context.options(), requestCert: true, rejectUnauthorized: true };
    const ca = await this.clientAuthorities(address);
    const listener = this.parts.create('the local API', {
      fields: 'localAddress',
      bind: splitAddress(address),
      tls: { ...tls, ca },
      holdUntil: context.untilMade(),
      onHandshakeError: (error) => context.handshakeFailed(error),
    });
    context.follow({ useContext: (options) => listener.useContext({ ...options, ca }) });
    await listener.listen();
    logger.info('Starting to listen for the local API', { address: listener.address() });
    this.port = listener;
  }

  private async clientAuthorities(address: string): Promise<string> {
    const { localClientCaFile: file } = this.config;
    try {
      const text = await readFile(file, 'utf8');
      if (text.includes('-----BEGIN CERTIFICATE-----')) return text;
      throw new KubeletError('holds no PEM certificate', { code: 'invalid-argument' });
    } catch (error) {
      throw new KubeletError(
        `cannot listen for the local API on ${address}: localClientCaFile ${file}: ${messageOf(error)}; name a PEM file with the certificates of the authorities that sign the clients' certificates`,
        { code: 'failed-precondition', cause: error },
      );
    }
  }
}
