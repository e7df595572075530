import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { repositoryRoot } from '../workspace/repository-root.js';
import { parseFeatureGates } from './feature-gates-option.js';

export interface StartOptions {
  /** Exit 0 once every pod is ready and the first one with a port has answered over HTTP. */
  readonly exitWhenReady: boolean;
  /** Time limit of --exit-when-ready, in seconds. */
  readonly timeoutSeconds: number;
  /** Leave the pods running at the end. */
  readonly keep: boolean;
  readonly manifests: string;
  readonly runtimeEndpoint: string | undefined;
  /** Undefined: the CRI-O that `PODWRIGHT_CRIO` names, else containerd 2. */
  readonly containerd: '1.6' | '2' | undefined;
  /** Run no real containers, even where that is possible. */
  readonly simulated: boolean;
  /** Start an API server and apply the pods to it, instead of running static pods. */
  readonly cluster: boolean;
  /** Kubeconfig of the cluster that the node joins. */
  readonly kubeconfig: string | undefined;
  /** Default: the host name. */
  readonly nodeName: string | undefined;
  /** An assembly file with changes in addition to those of the run. */
  readonly assembly: string | undefined;
  readonly featureGates: Readonly<Record<string, boolean>>;
  /** Address of the console on loopback; undefined: it is off. */
  readonly consoleAddress: string | undefined;
  /** Arguments after a second `--`. */
  readonly kubeletFlags: readonly string[];
  readonly help: boolean;
}

/** Result of a command line: options for a run, or a text to print and an exit code. */
export type CommandLine = { readonly options: StartOptions } | { readonly text: string; readonly exitCode: 0 | 2 };

/** The text of --help. It is in a file because the bootstrap prints it before anything is installed. */
export const usage = readFileSync(path.join(repositoryRoot, 'tools/start/usage.txt'), 'utf8').trimEnd();

const optionKinds = {
  'exit-when-ready': { type: 'boolean', default: false },
  timeout: { type: 'string', default: '180' },
  keep: { type: 'boolean', default: false },
  manifests: { type: 'string' },
  'runtime-endpoint': { type: 'string' },
  containerd: { type: 'string' },
  simulated: { type: 'boolean', default: false },
  cluster: { type: 'boolean', default: false },
  kubeconfig: { type: 'string' },
  'node-name': { type: 'string' },
  assembly: { type: 'string' },
  'feature-gates': { type: 'string', default: '' },
  'console-address': { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

const defaultManifests = path.resolve('examples/hello/manifests');

// npm runs scripts in the folder of package.json; relative paths refer to the user's folder.
const fromCaller = (file: string | undefined): string | undefined =>
  file === undefined ? undefined : path.resolve(process.env['INIT_CWD'] ?? process.cwd(), file);

/** Never throws: for a wrong option, the exit code is 2 and the text has the fault and the usage. */
export function readCommandLine(args: readonly string[]): CommandLine {
  try {
    const options = parseOptions(args);
    return options.help ? { text: usage, exitCode: 0 } : { options };
  } catch (error) {
    return { text: `${error instanceof Error ? error.message : String(error)}\n${usage}`, exitCode: 2 };
  }
}

/** Options before `--`, which npm takes for its own and does not pass on. */
export function optionsTakenByNpm(environment: Readonly<Record<string, string | undefined>>): readonly string[] {
  return Object.keys(optionKinds)
    .filter((name) => environment[`npm_config_${name.replaceAll('-', '_')}`] !== undefined)
    .map((name) => `--${name}`);
}

/** Parses and checks the options. Throws with a sentence for the user when one is wrong. */
export function parseOptions(args: readonly string[]): StartOptions {
  const { ours, kubeletFlags } = splitAtTerminator(args);
  const { values } = parseArgs({ args: ours, options: optionKinds });
  const timeoutSeconds = Number(values.timeout);
  if (!(timeoutSeconds > 0)) throw new Error(`--timeout must be a number of seconds above 0, not "${values.timeout}"`);
  const { containerd } = values;
  if (containerd !== undefined && containerd !== '1.6' && containerd !== '2')
    throw new Error(`--containerd must be 1.6 or 2, not "${containerd}"`);
  if (values.simulated && values['runtime-endpoint'] !== undefined)
    throw new Error('--simulated and --runtime-endpoint cannot be used together');
  const { kubeconfig } = values;
  if (values.cluster && kubeconfig !== undefined) throw new Error('--cluster and --kubeconfig cannot be used together');
  if (values.cluster && values.keep)
    throw new Error('--cluster and --keep cannot be used together: the API server ends with this process');
  if (values.simulated && values.keep)
    throw new Error('--simulated and --keep cannot be used together: the simulated pods end with this process');
  if (values.simulated && kubeconfig !== undefined)
    throw new Error('--simulated and --kubeconfig cannot be used together');
  if (kubeconfig !== undefined && values.manifests !== undefined) {
    throw new Error('--manifests and --kubeconfig cannot be used together: apply the manifests with kubectl');
  }
  if (values['node-name'] !== undefined && !values.cluster && kubeconfig === undefined) {
    throw new Error('--node-name needs --cluster or --kubeconfig');
  }
  if (values.simulated && kubeletFlags.length > 0) {
    throw new Error('--simulated does not accept kubelet flags: the simulated kubelet runs in this process');
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
    consoleAddress: values['console-address'],
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
