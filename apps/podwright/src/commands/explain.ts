import type { Pod } from '@podwright/kube-types';
import { ApiClient } from '../client/api-client.js';
import { ApiError, isNotFound } from '../client/api-error.js';
import { kubeconfigAddress } from '../client/kubeconfig-address.js';
import { nodes, pods, resourcePath } from '../client/resources.js';
import { CommandError, usageError } from '../command-error.js';
import { defineCommand, extraWords, type CommandContext } from './command.js';

/** Where the kubelet answers, and how its paths begin there. */
interface Kubelet {
  readonly client: ApiClient;
  readonly prefix: string;
}

/** What a kubelet answers that has no such route. A page of its own says that it does not know the pod. */
const noSuchPath = '404 page not found';

interface Asked {
  readonly type: 'pod' | 'node';
  readonly name: string | undefined;
}

/** Upstream has no counterpart; `kubectl explain` explains the fields of objects. */
export const explainCommand = defineCommand({
  usage: 'explain TYPE [NAME]',
  summary: 'Explain why a pod or the node is as it is',
  examples: [
    ['explain pod web', 'Say where the pod stands, what it waits for and what to do'],
    ['explain pod web --uid=UID', 'Explain an earlier pod of that name'],
    ['explain node', 'Say why the node is not Ready, and what is short on it'],
    ['explain pod web --kubeconfig=admin.conf', "Ask the pod's node through the API server"],
    ['explain pod web --kubeconfig=admin.conf --node=n1', 'Explain a pod that is gone from node n1'],
  ],
  valueLetters: 'o',
  flags: (yargs) =>
    yargs
      .option('uid', { type: 'string', describe: 'UID of one of several pods that had the name' })
      .option('output', {
        alias: 'o',
        choices: ['text', 'json'] as const,
        default: 'text' as const,
        describe: 'text: a page; json: all that is known, with the schema of /explain/schema',
      })
      .option('kubeconfig', { type: 'string', describe: 'File that names an API server; asks through its node proxy' })
      .option('node', { type: 'string', describe: 'With --kubeconfig: the node to ask. Default: that of the pod' }),
  async run(args, context) {
    const asked = askedFor(extraWords(args));
    const { kubeconfig, node, uid, output } = args;
    if (node !== undefined && kubeconfig === undefined) throw new CommandError('--node needs --kubeconfig');
    if (uid !== undefined && asked.type === 'node') throw new CommandError('--uid is for pods');
    const { namespace, ...kubelet } =
      kubeconfig === undefined
        ? { client: context.client, prefix: '', namespace: context.namespace }
        : await behindServer(context, kubeconfig, asked, node);
    const subject =
      asked.type === 'node' ? 'node' : `pods/${encodeURIComponent(namespace)}/${encodeURIComponent(asked.name ?? '')}`;
    // The kubelet of a socket is that of one node.
    const only = kubeconfig === undefined && asked.type === 'node' && asked.name;
    const query = {
      output,
      ...(uid !== undefined && { uid }),
      ...(only !== false && only !== undefined && { node: only }),
    };
    await context.io.out(await textFrom(kubelet, `/explain/${subject}`, query));
  },
});

function askedFor(words: readonly string[]): Asked {
  const [first = '', ...others] = words.length === 1 && words[0]?.includes('/') ? words[0].split('/') : words;
  const [name, ...rest] = others;
  const type = pods.aliases.includes(first) ? 'pod' : nodes.aliases.includes(first) ? 'node' : undefined;
  if (type === undefined) throw usageError('explain', 'You must specify what to explain: pod NAME or node');
  if (rest.length > 0) throw usageError('explain', 'explain takes a type and at most one name');
  if (type === 'pod' && (name === undefined || name === '')) throw usageError('explain', 'explain pod needs a name');
  return { type, name };
}

async function behindServer(
  context: CommandContext,
  file: string,
  { type, name }: Asked,
  given: string | undefined,
): Promise<Kubelet & { readonly namespace: string }> {
  const { address, namespace: own } = await kubeconfigAddress(file);
  const client = new ApiClient(address, context.io.signal);
  const namespace = context.namespaceIsExplicit ? context.namespace : own;
  const node = given ?? (type === 'node' ? name : await nodeOf(client, namespace, name ?? ''));
  if (node === undefined) throw new CommandError('explain node needs a name, or --node, with --kubeconfig');
  return { client, namespace, prefix: `${resourcePath(nodes, undefined, node)}/proxy` };
}

async function nodeOf(client: ApiClient, namespace: string, name: string): Promise<string> {
  try {
    const { spec } = await client.get<Pod>(resourcePath(pods, namespace, name));
    if (spec.nodeName !== undefined && spec.nodeName !== '') return spec.nodeName;
  } catch (error) {
    if (!isNotFound(error)) throw error;
    throw new CommandError(`the API server has no pod ${namespace}/${name}; ask the node that had it with --node NODE`);
  }
  throw new CommandError(
    `pod ${namespace}/${name} is not scheduled, so no node knows it; kubectl describe pod ${name} shows why`,
  );
}

async function textFrom(
  { client, prefix }: Kubelet,
  path: string,
  query: Readonly<Record<string, string>>,
): Promise<string> {
  try {
    const response = await client.open('GET', prefix + path, { query });
    const chunks: Buffer[] = [];
    for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString('utf8');
    return text.endsWith('\n') ? text : `${text}\n`;
  } catch (error) {
    // The kubelet itself answers in text, the API server with a Status that says what it did not find.
    if (!(error instanceof ApiError && error.status.code === 404 && error.isText)) throw error;
    if (error.message === noSuchPath) {
      throw new CommandError(
        'this kubelet does not explain: it is another one, or its assembly file omits @podwright/explain',
      );
    }
    throw new CommandError(error.message, { bare: true });
  }
}
