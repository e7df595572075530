import path from 'node:path';
import { parseArgs } from 'node:util';

export interface StartOptions {
  /** Exit 0 once every pod is ready and the first one with a port has answered. */
  readonly exitWhenReady: boolean;
  /** Seconds until --exit-when-ready gives up. */
  readonly timeoutSeconds: number;
  /** Leave the pods running at the end. */
  readonly keep: boolean;
  readonly manifests: string;
  readonly runtimeEndpoint: string | undefined;
  readonly containerd: '1.6' | '2';
  /** No real containers, also where they could be. */
  readonly simulated: boolean;
  /** With an API server of its own: the pods are applied to it instead of being static. */
  readonly cluster: boolean;
  /** The API server of a cluster that the node joins. */
  readonly kubeconfig: string | undefined;
  /** Default: the machine's name. */
  readonly nodeName: string | undefined;
  readonly help: boolean;
}

/** What a command line asks for: a run, or a text and the end with an exit code. */
export type CommandLine = { readonly options: StartOptions } | { readonly text: string; readonly exitCode: 0 | 2 };

export const usage = `npm start -- [options]
  --exit-when-ready        exit 0 after the first answer over HTTP, not 0 with the reason after the timeout, or once
                           a pod has failed for good
  --timeout SECONDS        how long --exit-when-ready waits (default 180)
  --manifests DIR          run the static pods in DIR, a pod per file (default examples/hello/manifests)
  --runtime-endpoint URL   use this runtime, unix:///..., instead of a private containerd
  --containerd 1.6|2       version of the private containerd (default 2)
  --cluster                start an API server too and apply the manifests to it, of any kind that it knows; prints a
                           kubeconfig for kubectl
  --kubeconfig FILE        join the cluster that FILE leads to. FILE's user must be the node itself, system:node:<name> in
                           the group system:nodes; nothing is applied, the pods are those that the cluster gives the node.
                           A control plane of kubeadm makes FILE:
                             kubeadm kubeconfig user --client-name system:node:NAME --org system:nodes > FILE
  --node-name NAME         name of the node in the cluster (default: the machine's name)
  --simulated              run no real containers: the pods live on a simulated runtime
  --keep                   leave the pods, and the private containerd, running at the end
  --help                   this text`;

const optionKinds = {
  'exit-when-ready': { type: 'boolean', default: false },
  timeout: { type: 'string', default: '180' },
  keep: { type: 'boolean', default: false },
  manifests: { type: 'string' },
  'runtime-endpoint': { type: 'string' },
  containerd: { type: 'string', default: '2' },
  simulated: { type: 'boolean', default: false },
  cluster: { type: 'boolean', default: false },
  kubeconfig: { type: 'string' },
  'node-name': { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

const defaultManifests = path.resolve('examples/hello/manifests');

// npm runs scripts in the folder of package.json, whatever folder its user is in.
const callersFolder = (): string => process.env['INIT_CWD'] ?? process.cwd();

/** Never throws: a wrong option gives exit code 2 and a text that says which, with the usage. */
export function readCommandLine(args: readonly string[]): CommandLine {
  try {
    const options = parseOptions(args);
    return options.help ? { text: usage, exitCode: 0 } : { options };
  } catch (error) {
    return { text: `${error instanceof Error ? error.message : String(error)}\n${usage}`, exitCode: 2 };
  }
}

/** Options that stood before `--`, so that npm has taken them for its own and this program has not seen them. */
export function optionsTakenByNpm(environment: Readonly<Record<string, string | undefined>>): readonly string[] {
  return Object.keys(optionKinds)
    .filter((name) => environment[`npm_config_${name.replaceAll('-', '_')}`] !== undefined)
    .map((name) => `--${name}`);
}

/** Throws with a sentence for the user when an option is wrong. */
export function parseOptions(args: readonly string[]): StartOptions {
  const { values } = parseArgs({
    args: [...args],
    options: optionKinds,
  });
  const timeoutSeconds = Number(values.timeout);
  if (!(timeoutSeconds > 0)) throw new Error(`--timeout must be a number of seconds above 0, not "${values.timeout}"`);
  const { containerd } = values;
  if (containerd !== '1.6' && containerd !== '2') throw new Error(`--containerd must be 1.6 or 2, not "${containerd}"`);
  if (values.simulated && values['runtime-endpoint'] !== undefined)
    throw new Error('--simulated and --runtime-endpoint exclude each other');
  const { kubeconfig } = values;
  if (values.cluster && kubeconfig !== undefined) throw new Error('--cluster and --kubeconfig exclude each other');
  if (values.cluster && values.keep)
    throw new Error('--cluster and --keep exclude each other: the API server ends with this process');
  if (values.simulated && kubeconfig !== undefined) throw new Error('--simulated and --kubeconfig exclude each other');
  if (kubeconfig !== undefined && values.manifests !== undefined) {
    throw new Error('--manifests and --kubeconfig exclude each other: apply them with kubectl');
  }
  if (values['node-name'] !== undefined && !values.cluster && kubeconfig === undefined) {
    throw new Error('--node-name needs --cluster or --kubeconfig');
  }
  return {
    exitWhenReady: values['exit-when-ready'],
    timeoutSeconds,
    keep: values.keep,
    manifests: values.manifests === undefined ? defaultManifests : path.resolve(callersFolder(), values.manifests),
    runtimeEndpoint: values['runtime-endpoint'],
    containerd,
    simulated: values.simulated,
    cluster: values.cluster,
    kubeconfig: kubeconfig === undefined ? undefined : path.resolve(callersFolder(), kubeconfig),
    nodeName: values['node-name'],
    help: values.help,
  };
}
