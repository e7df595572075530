import type { Pod } from '@podwright/kube-types';
import type { Server } from 'node:net';
import { messageOf } from '@podwright/errors';
import { pods, resourcePath } from '../client/resources.js';
import { CommandError, usageError } from '../command-error.js';
import { podNamed } from '../selection.js';
import { listen, type ForwardedPort } from '../streams/port-forwarder.js';
import { defineCommand, extraWords, type CommandContext } from './command.js';
import { getPod } from './pod-containers.js';

/** Source: kubernetes v1.36 kubectl/pkg/cmd/portforward/portforward.go. */
export const portForwardCommand = defineCommand({
  usage: 'port-forward [POD] [PORTS..]',
  summary: 'Forward local ports to a pod',
  examples: [
    ['port-forward web 8080', 'Port 8080 here is port 8080 of the pod'],
    ['port-forward pod/web 8888:80 8443:https', 'Other local ports, and a port by its name'],
    ['port-forward web :80', 'Any free local port'],
    ['port-forward --address 0.0.0.0 web 8888:80', 'Listen on all addresses of this machine'],
  ],
  valueLetters: '',
  flags: (yargs) =>
    yargs.option('address', {
      type: 'string',
      array: true,
      default: ['localhost'],
      describe: 'Addresses to listen on, comma separated: IP addresses or localhost',
    }),
  async run(args, context) {
    const [name, ...ports] = extraWords(args);
    if (name === undefined || ports.length === 0) {
      throw usageError('port-forward', 'TYPE/NAME and list of ports are required for port-forward');
    }
    const pod = await getPod(context, podNamed(name));
    const forwarded = ports.map((port) => forwardedPort(port, pod));
    const phase = pod.status?.phase ?? '';
    if (phase !== 'Running') {
      throw new CommandError(`unable to forward port because pod is not running. Current status=${phase}`);
    }
    const addresses = args.address.flatMap((list) => list.split(','));
    const servers: Server[] = [];
    try {
      for (const port of forwarded) servers.push(...(await listenOn(context, pod, port, addresses)));
      await interrupted(context.io.signal);
    } finally {
      for (const server of servers) server.close();
    }
  },
});

/** Reads `LOCAL:REMOTE`, `REMOTE` or `:REMOTE`; a remote port may be the name of a container's port. */
export function forwardedPort(text: string, pod: Pod): ForwardedPort {
  const parts = text.split(':');
  const remoteText = parts.length === 2 ? (parts[1] ?? '') : text;
  const localText = parts.length === 2 ? (parts[0] ?? '') : remoteText;
  if (parts.length > 2 || remoteText === '') throw new CommandError(`invalid port format '${text}'`);
  const declared = pod.spec.containers.flatMap(({ ports = [] }) => ports);
  const named = declared.find((port) => port.name === remoteText);
  const remote = /^\d+$/.test(remoteText) ? Number(remoteText) : named?.containerPort;
  if (remote === undefined)
    throw new CommandError(`Pod '${pod.metadata.name ?? ''}' does not have a named port '${remoteText}'`);
  const protocols = declared.filter(({ containerPort }) => containerPort === remote).map(({ protocol }) => protocol);
  if (protocols.length > 0 && protocols.every((protocol) => protocol === 'UDP')) {
    throw new CommandError(`UDP protocol is not supported for ${remoteText}`);
  }
  const local = localText === '' ? 0 : localText === remoteText ? remote : Number(localText);
  if (!isPort(remote) || !Number.isInteger(local) || local < 0 || local > 65535) {
    throw new CommandError(`unable to parse port ${JSON.stringify(text)}: value out of range`);
  }
  return { local, remote };
}

const isPort = (port: number): boolean => Number.isInteger(port) && port > 0 && port < 65536;

/** Listens on each address; of the two of localhost one is enough. */
async function listenOn(
  context: CommandContext,
  pod: Pod,
  port: ForwardedPort,
  addresses: readonly string[],
): Promise<readonly Server[]> {
  const { client, io, namespace } = context;
  const servers: Server[] = [];
  const path = resourcePath(pods, namespace, pod.metadata.name);
  let { local } = port;
  for (const address of addresses) {
    const hosts = address === 'localhost' ? ['127.0.0.1', '::1'] : [address];
    const faults: string[] = [];
    for (const host of hosts) {
      try {
        const { server, port: bound } = await listen(client, path, { local, remote: port.remote }, host, io);
        servers.push(server);
        local = bound;
        await io.out(`Forwarding from ${host.includes(':') ? `[${host}]` : host}:${bound} -> ${port.remote}\n`);
      } catch (error) {
        faults.push(`unable to create listener: Error ${messageOf(error)}`);
      }
    }
    if (faults.length === hosts.length) {
      for (const server of servers) server.close();
      throw new CommandError(
        `unable to listen on port ${local}: Listeners failed to create with the following errors: [${faults.join(' ')}]`,
      );
    }
  }
  return servers;
}

/** Ctrl-C is how a forwarding ends, so it is no failure. */
function interrupted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
