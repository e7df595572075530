import { pods, resourcePath } from '../client/resources.js';
import { CommandError, usageError } from '../command-error.js';
import { isTerminalPhase } from '@podwright/kube-types';
import { podNamed } from '../selection.js';
import { runSession, sessionProtocols } from '../streams/remote-session.js';
import { defineCommand, extraWords, wordsAfterDashes } from './command.js';
import { chooseContainer, getPod } from './pod-containers.js';
import { containerFlag, quietFlag, stdinFlag, ttyFlag } from './shared-flags.js';
import { terminalFor } from './session-terminal.js';

/** Source: kubernetes v1.36 kubectl/pkg/cmd/exec/exec.go. */
export const execCommand = defineCommand({
  usage: 'exec [POD]',
  summary: 'Execute a command in a container',
  examples: [
    ['exec web -- date', 'Run a command in the first container'],
    ['exec -it web -- sh', 'Open a shell'],
    ['exec web -c app -- ls -l /tmp', 'Run a command in the container app'],
    ['exec -i web -- tar xf - < files.tar', 'Pass a file to a command'],
  ],
  valueLetters: 'c',
  flags: (yargs) =>
    yargs
      .option('container', containerFlag)
      .option('stdin', stdinFlag)
      .option('tty', ttyFlag)
      .option('quiet', quietFlag),
  async run(args, context) {
    const [pod, ...rest] = extraWords(args);
    const command = wordsAfterDashes(args);
    if (rest.length > 0) {
      throw usageError('exec', 'exec [POD] [COMMAND] is not supported anymore. Use exec [POD] -- [COMMAND] instead');
    }
    if (pod === undefined) throw new CommandError('pod or type/name must be specified');
    if (command.length === 0) throw new CommandError('you must specify at least one command for the container');
    const found = await getPod(context, podNamed(pod));
    const phase = found.status?.phase;
    if (isTerminalPhase(phase)) {
      throw new CommandError(`cannot exec into a container in a completed pod; current phase is ${phase}`);
    }
    const container = await chooseContainer(context, found, args.container, args.quiet);
    const terminal = await terminalFor(context, args);
    const tty = terminal !== undefined;
    const path = `${resourcePath(pods, context.namespace, found.metadata.name)}/exec`;
    const query = {
      command,
      container,
      stdin: args.stdin || undefined,
      stdout: true,
      stderr: !tty || undefined,
      tty: tty || undefined,
    };
    const socket = await context.client.webSocket(path, query, sessionProtocols);
    await runSession(socket, context.io, { stdin: args.stdin, terminal });
  },
});
