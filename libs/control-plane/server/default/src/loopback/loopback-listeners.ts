import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv6 } from 'node:net';
import { KubeletError } from '@podwright/errors';
import type { RequestTarget } from '@podwright/http-router';
import type { Logger } from '@podwright/logging';
import type { LoopbackListener } from '@podwright/server-interface';
import type { Listener, ListenerOptions } from '../listener.js';
import type { RequestHandlerParts } from '../request-handler.js';

/** Opens one of them; the server fills in what all of its listeners have in common. */
export type OpenLoopback = (
  name: string,
  options: Pick<ListenerOptions, 'fields' | 'bind'> & Pick<RequestHandlerParts, 'routes' | 'access'>,
) => Listener;

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** The ports that modules bring for programs on the same machine. */
export class LoopbackListeners {
  private open: readonly { readonly name: string; readonly listener: Listener }[] = [];

  constructor(
    private readonly wanted: readonly LoopbackListener[],
    private readonly parts: { readonly logger: Logger; readonly create: OpenLoopback },
  ) {}

  async start(): Promise<void> {
    for (const each of this.wanted) await this.openOne(each);
  }

  async close(): Promise<void> {
    const { open } = this;
    this.open = [];
    await Promise.all(open.map(({ listener }) => listener.close()));
  }

  addresses(): { readonly loopback?: Readonly<Record<string, string>> } {
    if (this.open.length === 0) return {};
    return { loopback: Object.fromEntries(this.open.map(({ name, listener }) => [name, listener.address()])) };
  }

  private async openOne(wanted: LoopbackListener): Promise<void> {
    const { name, fields, host, port, routes } = wanted;
    if (isIP(host) === 0 || !loopback.check(host, isIPv6(host) ? 'ipv6' : 'ipv4')) {
      const message = `cannot listen for ${name} on ${host}: that is no address of loopback; change ${fields}`;
      throw new KubeletError(message, { code: 'invalid-argument' });
    }
    const access = { admit: async (...asked: [IncomingMessage, RequestTarget]) => admit(wanted, ...asked) };
    const listener = this.parts.create(name, { fields, bind: { host, port }, routes, access });
    await listener.listen();
    this.open = [...this.open, { name, listener }];
    this.parts.logger.info('Starting to listen on loopback', { for: name, address: listener.address() });
    await wanted.opened(listener.address());
  }
}

function admit(
  wanted: LoopbackListener,
  { method = 'GET', headers, rawHeaders }: IncomingMessage,
  { path, query }: RequestTarget,
): Awaited<ReturnType<NonNullable<RequestHandlerParts['access']>['admit']>> {
  const refusal = wanted.refuse({ method, path, query, headers });
  return refusal === undefined ? { headers, rawHeaders, user: undefined } : { refusal };
}
