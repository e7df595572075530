import type { Pod } from '@podwright/kube-types';
import { findContainer, isTerminalPhase } from '@podwright/kube-types';
import { pods, resourcePath } from '../client/resources.js';
import { CommandError } from '../command-error.js';
import { podNamed, targetsOf } from '../selection.js';
import { defaultDetachKeys, detachSequence } from '../streams/detach-keys.js';
import { runSession, sessionProtocols } from '../streams/remote-session.js';
import { defineCommand, extraWords, type CommandContext } from './command.js';
import { chooseContainer, getPod } from './pod-containers.js';
import { containerFlag, quietFlag, stdinFlag, ttyFlag } from './shared-flags.js';
import { terminalFor } from './session-terminal.js';

/** Source: kubernetes v1.36 kubectl/pkg/cmd/attach/attach.go. */
export const attachCommand = defineCommand({
  usage: 'attach [POD]',
  summary: 'Attach to a running container',
  examples: [
    ['attach web', 'Print what the first container writes from now on'],
    ['attach web -c app -it', 'Attach the terminal to the container app; Ctrl-P Ctrl-Q detaches'],
  ],
  valueLetters: 'c',
  flags: (yargs) =>
    yargs
      .option('container', containerFlag)
      .option('stdin', stdinFlag)
      .option('tty', ttyFlag)
      .option('quiet', quietFlag)
      .option('detach-keys', { type: 'string', default: defaultDetachKeys, describe: 'Keys that detach the terminal' }),
  async run(args, context) {
    const words = extraWords(args);
    if (words.length === 0) throw new CommandError('at least 1 argument is required for attach');
    if (words.length > 2) {
      throw new CommandError(
        `expected POD, TYPE/NAME, or TYPE NAME, (at most 2 arguments) saw ${words.length}: [${words.join(' ')}]`,
      );
    }
    const name = words.length === 2 ? podNamed(`pod/${targetsOf(words)[0]?.name ?? ''}`) : podNamed(words[0] ?? '');
    const pod = await getPod(context, name);
    if (isTerminalPhase(pod.status?.phase)) {
      throw new CommandError(
        `cannot attach a container in a completed pod; current phase is ${pod.status?.phase ?? ''}`,
      );
    }
    await attach(context, pod, { ...args, detachKeys: args['detach-keys'] });
  },
});

export interface AttachOptions {
  readonly container?: string | undefined;
  readonly stdin: boolean;
  readonly tty: boolean;
  readonly quiet: boolean;
  readonly detachKeys: string;
}

/** Attaches until the container ends or the user detaches. */
export async function attach(context: CommandContext, pod: Pod, options: AttachOptions): Promise<void> {
  const { io, client, namespace } = context;
  const { stdin, quiet } = options;
  const detachKeys = detachSequence(options.detachKeys);
  const container = await chooseContainer(context, pod, options.container, quiet);
  const hasTty = findContainer(pod, container)?.container.tty === true;
  if (options.tty && !hasTty && !quiet) {
    await io.err(`error: Unable to use a TTY - container ${container} did not allocate one\n`);
  }
  // A container with a terminal needs one at this side too, or its output cannot be read.
  const terminal = await terminalFor(context, { stdin, tty: hasTty, quiet });
  if (!quiet) {
    await io.err(
      'All commands and output from this session will be recorded in container logs, including credentials and sensitive information passed through the command prompt.\n',
    );
    await io.err("If you don't see a command prompt, try pressing enter.\n");
  }
  const name = pod.metadata.name ?? '';
  const query = {
    container,
    stdin: stdin || undefined,
    stdout: true,
    stderr: !hasTty || undefined,
    tty: hasTty || undefined,
  };
  const socket = await client.webSocket(`${resourcePath(pods, namespace, name)}/attach`, query, sessionProtocols);
  await runSession(socket, io, { stdin, terminal, redraw: true, ...(terminal !== undefined && { detachKeys }) });
  if (!quiet && stdin && terminal !== undefined) {
    await io.out(
      `Session ended, resume using 'podwright attach ${name} -c ${container} -n ${namespace} -i -t' command\n`,
    );
  }
}
