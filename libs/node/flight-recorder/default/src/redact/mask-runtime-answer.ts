import { placeholder } from './placeholder.js';

const withoutOutput = (answer: Readonly<Record<string, unknown>>): unknown => ({
  ...answer,
  stdout: maskedBytes(answer['stdout']),
  stderr: maskedBytes(answer['stderr']),
});
const withoutUrl = (): unknown => ({ url: 'http://127.0.0.1:1/masked' });
// The runtime's own view of a container or of itself: environments, and credentials of registries.
const withoutInfo = ({ info: _info, ...answer }: Readonly<Record<string, unknown>>): unknown => ({
  ...answer,
  info: {},
});

const masks: Readonly<Record<string, (answer: Readonly<Record<string, unknown>>) => unknown>> = {
  execSync: withoutOutput,
  exec: withoutUrl,
  attach: withoutUrl,
  portForward: withoutUrl,
  containerStatus: withoutInfo,
  podSandboxStatus: withoutInfo,
  imageStatus: withoutInfo,
  status: withoutInfo,
};

/** What is kept of the answer to a call of the CRI. */
export function maskRuntimeAnswer(method: string, answer: unknown): unknown {
  const mask = masks[method];
  return mask === undefined ? answer : mask(answer as Readonly<Record<string, unknown>>);
}

const maskedBytes = (bytes: unknown): Uint8Array =>
  Buffer.from(placeholder(bytes instanceof Uint8Array ? Math.min(bytes.length, 1024) : 0));
