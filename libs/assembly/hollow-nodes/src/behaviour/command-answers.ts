import type { ExecOutcome } from '@podwright/simulated-runtime';
import type { ContainerIdentity } from './container-identity.js';

/** What a command in a hollow container answers. There are no programs: `echo` and `hostname` work, others succeed. */
export function answerCommand(command: readonly string[], of: ContainerIdentity): ExecOutcome {
  const [name = '', ...args] = command;
  switch (name.split('/').at(-1)) {
    case 'echo':
      return { stdout: `${args.join(' ')}\n` };
    case 'hostname':
      return { stdout: `${of.pod}\n` };
    case 'true':
      return {};
    case 'false':
      return { exitCode: 1 };
    default:
      return {
        stdout: `hollow container ${of.container} of pod ${of.namespace}/${of.pod} on node ${of.node}: ${command.join(' ')}\n`,
      };
  }
}
