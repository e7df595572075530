import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { repositoryRoot } from '../workspace/repository-root.js';
import { parseFeatureGates } from './feature-gates-option.js';

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
  /** An assembly file whose changes the kubelet gets beside those of the run. */
  readonly assembly: string | undefined;
  readonly featureGates: Readonly<Record<string, boolean>>;
  /** What came after a second `--`. */
  readonly kubeletFlags: readonly string[];
  readonly help: boolean;
}

/** What a command line asks for: a run, or a text and the end with an exit code. */
export type CommandLine = { readonly options: StartOptions } | { readonly text: string; readonly exitCode: 0 | 2 };

/** What --help prints. A file of its own, because the bootstrap prints it where nothing is installed yet. */
export const usage = readFileSync(path.join(repositoryRoot, 'tools/start/usage.txt'), 'utf8').trimEnd();

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
  assembly: { type: 'string' },
  'feature-gates': { type: 'string', default: '' },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

const defaultManifests = path.resolve('examples/hello/manifests');

// npm runs scripts in the folder of package.json, whatever folder its user is in.
const fromCaller = (file: string | undefined): string | undefined =>
  file === undefined ? undefined : path.resolve(process.env['INIT_CWD'] ?? process.cwd(), file);

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
  const { ours, kubeletFlags } = splitAtTerminator(args);
  const { values } = parseArgs({ args: ours, options: optionKinds });
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
  if (values.simulated && kubeletFlags.length > 0) {
    throw new Error('--simulated takes no flags of the kubelet: there it runs in this process');
  }
  return {
    exitWhenReady: values['exit-when-ready'],
    timeoutSeconds,
    keep: values.keep,
    manifests: fromCaller(values.manifests) ?? defaultManifests,
    runtimeEndpoint: values['runtime-endpoint'],
    containerd,
    simulated: values.simulated,
    cluster: values.cluster,
    kubeconfig: fromCaller(kubeconfig),
    nodeName: values['node-name'],
    assembly: fromCaller(values.assembly),
    featureGates: parseFeatureGates(values['feature-gates']),
    kubeletFlags,
    help: values.help,
  };
}

function splitAtTerminator(args: readonly string[]): { readonly ours: string[]; readonly kubeletFlags: string[] } {
  const at = args.indexOf('--');
  return at === -1
    ? { ours: [...args], kubeletFlags: [] }
    : { ours: args.slice(0, at), kubeletFlags: args.slice(at + 1) };
}
