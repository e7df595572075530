import { createServer, request, type IncomingMessage } from 'node:http';
import { tryCommand, type CommandResult } from '@podwright/lab';

/** A command for a machine, as it goes over the cable. */
export interface MachineCommand {
  readonly program: string;
  readonly args: readonly string[];
  readonly input: string;
}

/** The longest that a command of kubeadm may take on emulated processors. */
const LIMIT_MS = 1_200_000;

/** Runs a command on this machine. */
export function obey({ program, args, input }: MachineCommand): Promise<CommandResult> {
  // Go programs look for caches and settings below HOME.
  const env = { ...process.env, HOME: '/root', KUBECONFIG: '/etc/kubernetes/admin.conf' };
  return tryCommand(program, args, { input, timeoutMs: LIMIT_MS, env });
}

/** Runs the commands that come to the address, until the process ends. */
export function serveCommands(host: string, port: number): void {
  const server = createServer((asked, answer) => {
    read(asked)
      .then((text) => obey(JSON.parse(text) as MachineCommand))
      .then((result) => answer.end(JSON.stringify(result)))
      .catch((error: unknown) => answer.writeHead(500).end(String(error)));
  });
  server.listen(port, host);
}

/** Lets the machine at an address run a command. */
export async function sendCommand(host: string, port: number, command: MachineCommand): Promise<CommandResult> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    request({ host, port, method: 'POST', signal: AbortSignal.timeout(LIMIT_MS) }, resolve)
      .once('error', reject)
      .end(JSON.stringify(command));
  });
  const text = await read(answer);
  if (answer.statusCode !== 200) throw new Error(`${host} does not run ${command.program}: ${text}`);
  return JSON.parse(text) as CommandResult;
}

async function read(message: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of message) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString();
}
