import path from 'node:path';
import { consoleAddress, rootFolders } from '../client/console-address.js';
import { startedKubelets } from '../client/started-kubelets.js';
import { CommandError, usageError } from '../command-error.js';
import type { CommandIo } from '../command-io.js';
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
      describe: `The kubelet's --root-dir [${rootFolders.join(', else ')}, else that of npm start]`,
    }),
  async run(args, { io }) {
    if (extraWords(args).length > 0) throw usageError('console', 'console takes no words');
    const given = args['root-dir'];
    const folders = given === undefined ? rootFolders : [path.resolve(given)];
    for (const folder of folders) {
      const address = await consoleAddress(folder);
      if (address !== undefined) return io.out(`${address}\n`);
    }
    const started = given === undefined ? await startedConsoles(io.env) : [];
    const [only, ...more] = started;
    if (only !== undefined && more.length === 0) return io.out(`${only.address}\n`);
    if (only !== undefined) {
      const options = started.map(({ rootDir }) => `--root-dir=${rootDir}`).join(' or ');
      throw new CommandError(`several kubelets of npm start have a console: name one with ${options}`);
    }
    throw new CommandError(
      `no kubelet with a console keeps its state in ${folders.join(' or ')}: ` +
        (given === undefined
          ? 'name the one that runs with --root-dir=DIR, or start one with --console-address=127.0.0.1:4194'
          : 'start one with --console-address=127.0.0.1:4194'),
    );
  },
});

async function startedConsoles(
  env: CommandIo['env'],
): Promise<readonly { readonly rootDir: string; readonly address: string }[]> {
  const found = [];
  for (const { rootDir } of await startedKubelets(env)) {
    const address = await consoleAddress(rootDir);
    if (address !== undefined) found.push({ rootDir, address });
  }
  return found;
}
