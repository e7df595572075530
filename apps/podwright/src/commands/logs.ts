import type { Pod } from '@podwright/kube-types';
import { visitContainers } from '@podwright/kube-types';
import { parseRfc3339 } from '@podwright/time';
import { isNotFound } from '../client/api-error.js';
import type { Query } from '../client/api-client.js';
import { pods, resourcePath } from '../client/resources.js';
import { listObjects } from '../client/watch.js';
import { CommandError, usageError } from '../command-error.js';
import { podNamed } from '../selection.js';
import { defineCommand, extraWords, type CommandContext } from './command.js';
import { copyLogs, type LogSource } from './log-streams.js';
import { nothingFound } from './get.js';
import { chooseContainer, getPod } from './pod-containers.js';
import { durationOf, integerOf, selectorFlag } from './shared-flags.js';

/** Source: kubernetes v1.36 kubectl/pkg/cmd/logs/logs.go. */
export const logsCommand = defineCommand({
  usage: 'logs [POD] [CONTAINER]',
  summary: 'Print what containers wrote',
  examples: [
    ['logs web', 'Print the logs of a pod with one container'],
    ['logs -f web -c app', 'Follow the logs of one container'],
    ['logs web --all-containers --prefix', 'Print the logs of all containers, each line with its source'],
    ['logs -p web', "Print the logs of the container's previous run"],
    ['logs --tail=20 --since=1h web', 'Print the newest 20 lines of the last hour'],
    ['logs -l app=web --prefix', 'Print the logs of pods by label'],
  ],
  valueLetters: 'cl',
  flags: (yargs) =>
    yargs
      .option('follow', { alias: 'f', type: 'boolean', default: false, describe: 'Go on as more is written' })
      .option('previous', { alias: 'p', type: 'boolean', default: false, describe: "The container's previous run" })
      .option('container', { alias: 'c', type: 'string', describe: 'The container' })
      .option('all-containers', { type: 'boolean', default: false, describe: 'All containers of the pod' })
      .option('selector', selectorFlag)
      .option('tail', { type: 'string', describe: 'Newest lines to print; -1 = all; default with -l: 10' })
      .option('since', { type: 'string', describe: 'Only lines newer than a duration such as 5s, 2m or 3h' })
      .option('since-time', { type: 'string', describe: 'Only lines after a time (RFC 3339)' })
      .option('timestamps', { type: 'boolean', default: false, describe: 'Start each line with its time' })
      .option('limit-bytes', { type: 'string', describe: 'Longest output in bytes' })
      .option('prefix', { type: 'boolean', default: false, describe: 'Start each line with pod and container' })
      .option('ignore-errors', { type: 'boolean', default: false, describe: 'Print errors and go on' })
      .option('max-log-requests', { type: 'string', default: '5', describe: 'Most logs to follow at once' }),
  async run(args, context) {
    const [name, inline, ...rest] = extraWords(args);
    const { selector } = args;
    if (rest.length > 0 || (name === undefined && selector === undefined)) {
      throw usageError(
        'logs',
        "expected 'logs [-f] [-p] (POD | TYPE/NAME) [-c CONTAINER]'.\nPOD or TYPE/NAME is a required argument for the logs command",
      );
    }
    if (name !== undefined && selector !== undefined) {
      throw usageError('logs', 'only a selector (-l) or a POD name is allowed');
    }
    if (inline !== undefined && args.container !== undefined) {
      throw new CommandError('only one of -c or an inline [CONTAINER] arg is allowed');
    }
    const container = args.container ?? inline;
    if (args['all-containers'] && container !== undefined) {
      throw new CommandError(`--all-containers=true should not be specified with container name ${container}`);
    }
    const query = logQuery(args);
    const found = await podsOf(context, name, selector);
    const sources: LogSource[] = [];
    for (const pod of found) {
      const names = args['all-containers']
        ? [...visitContainers(pod.spec)].map((visit) => visit.container.name)
        : [await chooseContainer(context, pod, container)];
      sources.push(
        ...names.map((each) => ({
          path: resourcePath(pods, pod.metadata.namespace ?? 'default', pod.metadata.name),
          pod: pod.metadata.name ?? '',
          container: each,
        })),
      );
    }
    const most = integerOf('max-log-requests', args['max-log-requests']);
    if (args.follow && sources.length > 1 && sources.length > most) {
      throw new CommandError(
        `you are attempting to follow ${sources.length} log streams, but maximum allowed concurrency is ${most}, use --max-log-requests to increase the limit`,
      );
    }
    await copyLogs(context, sources, {
      query,
      follow: args.follow,
      prefix: args.prefix,
      ignoreErrors: args['ignore-errors'],
    });
  },
});

interface LogFlags {
  readonly follow: boolean;
  readonly previous: boolean;
  readonly timestamps: boolean;
  readonly tail: string | undefined;
  readonly selector: string | undefined;
  readonly since: string | undefined;
  readonly 'since-time': string | undefined;
  readonly 'limit-bytes': string | undefined;
}

function logQuery(flags: LogFlags): Query {
  const { since, tail, selector } = flags;
  const sinceTime = flags['since-time'];
  if (since !== undefined && sinceTime !== undefined) {
    throw new CommandError('at most one of `sinceTime` or `sinceSeconds` may be specified');
  }
  if (sinceTime !== undefined && parseRfc3339(sinceTime) === undefined) {
    throw new CommandError(`parsing time ${JSON.stringify(sinceTime)} as RFC 3339 failed`);
  }
  const lines = integerOf('tail', tail ?? (selector === undefined ? '-1' : '10'));
  const seconds = since === undefined ? undefined : Math.round(durationOf('since', since) / 1000);
  const bytes = flags['limit-bytes'] === undefined ? 0 : integerOf('limit-bytes', flags['limit-bytes']);
  if (lines < -1) throw new CommandError('--tail must be greater than or equal to -1');
  if (seconds !== undefined && seconds < 0) throw new CommandError('--since must be greater than 0');
  if (bytes < 0) throw new CommandError('--limit-bytes must be greater than 0');
  return {
    follow: flags.follow || undefined,
    previous: flags.previous || undefined,
    timestamps: flags.timestamps || undefined,
    tailLines: lines === -1 ? undefined : lines,
    sinceSeconds: seconds,
    sinceTime,
    limitBytes: bytes === 0 ? undefined : bytes,
  };
}

async function podsOf(context: CommandContext, name: string | undefined, selector = ''): Promise<readonly Pod[]> {
  const { client, io, namespace } = context;
  if (name !== undefined) {
    try {
      return [await getPod(context, podNamed(name))];
    } catch (error) {
      if (!isNotFound(error)) throw error;
      throw new CommandError(
        `error from server (NotFound): ${(error as Error).message} in namespace ${JSON.stringify(namespace)}`,
      );
    }
  }
  const { items } = await listObjects(client, pods, { namespace, labelSelector: selector });
  if (items.length === 0) await io.err(nothingFound(namespace));
  return items as unknown as readonly Pod[];
}
