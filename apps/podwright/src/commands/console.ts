import path from 'node:path';
import { consoleAddress, rootFolders } from '../client/console-address.js';
import { CommandError, usageError } from '../command-error.js';
import { defineCommand, extraWords } from './command.js';

/** Upstream has no counterpart. */
export const consoleCommand = defineCommand({
  usage: 'console',
  summary: "Print the address of the node's web page",
  examples: [
    ['console', 'Print the address with its token; open it in a browser on this machine'],
    ['console --root-dir=/srv/kubelet', 'The page of a kubelet that keeps its state elsewhere'],
  ],
  valueLetters: '',
  flags: (yargs) =>
    yargs.option('root-dir', {
      type: 'string',
      describe: `The kubelet's --root-dir [${rootFolders.join(', else ')}]`,
    }),
  async run(args, { io }) {
    if (extraWords(args).length > 0) throw usageError('console', 'console takes no words');
    const given = args['root-dir'];
    const folders = given === undefined ? rootFolders : [path.resolve(given)];
    for (const folder of folders) {
      const address = await consoleAddress(folder);
      if (address !== undefined) return io.out(`${address}\n`);
    }
    throw new CommandError(
      `no kubelet with a console keeps its state in ${folders.join(' or ')}: ` +
        (given === undefined
          ? 'name the one that runs with --root-dir=DIR, or start one with --console-address=127.0.0.1:4194'
          : 'start one with --console-address=127.0.0.1:4194'),
    );
  },
});
