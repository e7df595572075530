import type { Pod } from '@podwright/kube-types';
import type { ApiObject } from '../client/resources.js';
import { pods, resourcePath } from '../client/resources.js';
import { CommandError, usageError } from '../command-error.js';
import { nameOf, outputOf } from '../output/object-printer.js';
import { defaultDetachKeys } from '../streams/detach-keys.js';
import { defineCommand, extraWords, wordsAfterDashes } from './command.js';
import { attachToRun } from './run-attached.js';
import { runPod } from './run-pod.js';
import { dryRunFlag, dryRunSuffix, durationOf, quietFlag, stdinFlag, ttyFlag } from './shared-flags.js';

/** Source: kubernetes v1.36 kubectl/pkg/cmd/run/run.go. */
export const runCommand = defineCommand({
  usage: 'run [NAME]',
  summary: 'Run an image in a pod',
  examples: [
    ['run web --image=nginx', 'Start a pod'],
    ['run web --image=nginx --port=80 --env=MODE=test', 'With a port and a variable'],
    ['run -it shell --image=busybox --restart=Never --rm -- sh', 'Open a shell in a new pod, delete the pod after it'],
    ['run job --image=busybox --restart=OnFailure --command -- sh -c "echo done"', 'Run a command until it succeeds'],
    ['run web --image=nginx --dry-run=client -o yaml', 'Print the pod, start nothing'],
  ],
  valueLetters: 'lo',
  flags: (yargs) =>
    yargs
      .option('image', { type: 'string', describe: 'The image of the container' })
      .option('image-pull-policy', {
        type: 'string',
        choices: ['Always', 'IfNotPresent', 'Never'],
        describe: 'When to pull the image',
      })
      .option('env', { type: 'string', array: true, default: [] as string[], describe: 'A variable, NAME=VALUE' })
      .option('port', { type: 'string', describe: 'The port that the container listens on' })
      .option('labels', { alias: 'l', type: 'string', describe: 'Labels, comma separated; default: run=NAME' })
      .option('annotations', {
        type: 'string',
        array: true,
        default: [] as string[],
        describe: 'An annotation, NAME=VALUE',
      })
      .option('restart', {
        type: 'string',
        default: 'Always',
        describe: 'The restart policy: Always, OnFailure or Never',
      })
      .option('command', {
        type: 'boolean',
        default: false,
        describe: 'The words after -- are the command, not its arguments',
      })
      .option('privileged', { type: 'boolean', default: false, describe: 'Run the container privileged' })
      .option('stdin', stdinFlag)
      .option('tty', ttyFlag)
      .option('attach', { type: 'boolean', describe: 'Attach once the pod runs; default with -i' })
      .option('leave-stdin-open', {
        type: 'boolean',
        default: false,
        describe: 'Keep stdin open after the first attach',
      })
      .option('rm', {
        type: 'boolean',
        default: false,
        describe: 'Delete the pod after it ended; needs an attached pod',
      })
      .option('quiet', quietFlag)
      .option('detach-keys', { type: 'string', default: defaultDetachKeys, describe: 'Keys that detach the terminal' })
      .option('pod-running-timeout', { type: 'string', default: '1m0s', describe: 'Longest wait for the pod to run' })
      .option('dry-run', dryRunFlag)
      .option('output', { alias: 'o', type: 'string', describe: 'Print the pod: json, yaml or name' }),
  async run(args, context) {
    const [name, ...rest] = extraWords(args);
    if (args.image === undefined || args.image === '') throw new CommandError('required flag(s) "image" not set');
    if (name === undefined) throw usageError('run', 'NAME is required for run');
    if (!['Always', 'OnFailure', 'Never'].includes(args.restart)) {
      throw usageError('run', `invalid restart policy: ${args.restart}`);
    }
    if (args.tty && !args.stdin) throw usageError('run', '-i/--stdin is required for containers with -t/--tty=true');
    const isAttached = args.attach ?? args.stdin;
    if (args.rm && !isAttached) throw usageError('run', '--rm should only be used for attached containers');
    const dryRun = args['dry-run'];
    if (isAttached && dryRun !== 'none') {
      throw usageError(
        'run',
        "--dry-run=[server|client] can't be used with attached containers options (--attach, --stdin, or --tty)",
      );
    }
    const { printer } = outputOf(args.output, ['json', 'name', 'yaml']);
    const timeoutMs = durationOf('pod-running-timeout', args['pod-running-timeout']);
    const words = [...rest, ...wordsAfterDashes(args)];
    const wanted = runPod({ ...args, name, image: args.image, words });
    const created = dryRun === 'client' ? wanted : await create(wanted);
    if (isAttached) {
      return attachToRun(context, created as unknown as Pod, { ...args, detachKeys: args['detach-keys'], timeoutMs });
    }
    await context.io.out(
      printer === undefined ? `${nameOf(created)} created${dryRunSuffix(dryRun)}\n` : printer(created),
    );

    async function create(pod: ApiObject): Promise<ApiObject> {
      const query = dryRun === 'server' ? { dryRun: 'All' } : {};
      const path = resourcePath(pods, context.namespace);
      const { object } = await context.client.call<ApiObject>('POST', path, { body: pod, query });
      return { ...object, apiVersion: 'v1', kind: 'Pod' };
    }
  },
});
