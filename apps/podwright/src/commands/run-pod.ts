import type { ApiObject } from '../client/resources.js';
import { CommandError } from '../command-error.js';

export interface RunFlags {
  readonly name: string;
  readonly image: string;
  readonly words: readonly string[];
  readonly env: readonly string[];
  readonly annotations: readonly string[];
  readonly labels: string | undefined;
  readonly port: string | undefined;
  readonly restart: string;
  readonly command: boolean;
  readonly privileged: boolean;
  readonly stdin: boolean;
  readonly tty: boolean;
  readonly 'leave-stdin-open': boolean;
  readonly 'image-pull-policy': string | undefined;
}

/** The pod of `run`. Source: kubernetes v1.36 kubectl/pkg/generate/versioned/run.go BasicPod. */
export function runPod(flags: RunFlags): ApiObject {
  const { name, image, words } = flags;
  const policy = flags['image-pull-policy'];
  const container = {
    name,
    image,
    ...(policy !== undefined && { imagePullPolicy: policy }),
    ...(words.length > 0 && (flags.command ? { command: words } : { args: words })),
    ...(flags.env.length > 0 && { env: flags.env.map(variableOf) }),
    ...(flags.port !== undefined && { ports: [{ containerPort: portOf(flags.port) }] }),
    resources: {},
    ...(flags.privileged && { securityContext: { privileged: true } }),
    ...(flags.stdin && { stdin: true, ...(!flags['leave-stdin-open'] && { stdinOnce: true }) }),
    ...(flags.tty && { tty: true }),
  };
  const annotations = flags.annotations.map((text) => pairOf(text, 'annotation'));
  const labels =
    flags.labels === undefined ? [['run', name]] : flags.labels.split(',').map((text) => pairOf(text, 'label'));
  const metadata = {
    ...(annotations.length > 0 && { annotations: Object.fromEntries(annotations) as Record<string, string> }),
    labels: Object.fromEntries(labels) as Record<string, string>,
    name,
  };
  const spec = { containers: [container], dnsPolicy: 'ClusterFirst', restartPolicy: flags.restart };
  return { apiVersion: 'v1', kind: 'Pod', metadata, spec, status: {} } as unknown as ApiObject;
}

function variableOf(text: string): { readonly name: string; readonly value: string } {
  const equals = text.indexOf('=');
  if (equals < 1) throw new CommandError(`invalid env: ${text}`);
  return { name: text.slice(0, equals), value: text.slice(equals + 1) };
}

function pairOf(text: string, what: string): readonly [string, string] {
  const equals = text.indexOf('=');
  if (equals < 1) throw new CommandError(`invalid ${what}: ${text}`);
  return [text.slice(0, equals), text.slice(equals + 1)];
}

function portOf(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port < 1 || port > 65535) throw new CommandError(`invalid port: ${text}`);
  return port;
}
