import { objectYaml } from '../output/object-yaml.js';
import { CommandError } from '../command-error.js';
import { version } from '../version.js';
import { defineCommand } from './command.js';

/** Source: kubernetes v1.36 kubectl/pkg/cmd/version/version.go. */
export const versionCommand = defineCommand({
  usage: 'version',
  summary: 'Print the versions of this command and of the kubelet',
  examples: [
    ['version', 'Print both versions'],
    ['version --client', 'Ask no kubelet'],
    ['version -o json', 'Print them as JSON'],
  ],
  valueLetters: 'o',
  flags: (yargs) =>
    yargs
      .option('client', { type: 'boolean', default: false, describe: 'Only the version of this command' })
      .option('output', { alias: 'o', type: 'string', describe: 'json or yaml' }),
  async run(args, { client, io }) {
    const { output } = args;
    if (output !== undefined && output !== 'json' && output !== 'yaml') {
      throw new CommandError("--output must be 'yaml' or 'json'");
    }
    const clientVersion = { gitVersion: version };
    const serverVersion = args.client ? undefined : await client.get<{ readonly gitVersion?: string }>('/version');
    const versions = { clientVersion, ...(serverVersion !== undefined && { serverVersion }) };
    if (output === 'json') return io.out(`${JSON.stringify(versions, undefined, 2)}\n`);
    if (output === 'yaml') return io.out(objectYaml(versions));
    await io.out(`Client Version: ${version}\n`);
    if (serverVersion !== undefined) await io.out(`Server Version: ${serverVersion.gitVersion ?? ''}\n`);
  },
});
