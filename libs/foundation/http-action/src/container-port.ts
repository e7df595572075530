import { KubeletError } from '@podwright/errors';
import { goQuote, type Container } from '@podwright/kube-types';

/**
 * Resolves a port to its number: `port` is a number, a number as text, or the name of one of the container's ports.
 * Throws `invalid-argument` in upstream's words. Source: kubernetes v1.36 pkg/probe/util.go ResolveContainerPort.
 */
export function containerPort(port: number | string, { ports = [] }: Pick<Container, 'ports'>): number {
  const named = typeof port === 'string' ? ports.find(({ name }) => name === port) : undefined;
  const number = named?.containerPort ?? (typeof port === 'string' ? atoi(port) : port);
  if (number > 0 && number < 65536) return number;
  throw new KubeletError(`invalid port number: ${number}`, { code: 'invalid-argument' });
}

function atoi(text: string): number {
  if (/^[+-]?\d{1,15}$/.test(text)) return Number(text);
  throw new KubeletError(`strconv.Atoi: parsing ${goQuote(text)}: invalid syntax`, { code: 'invalid-argument' });
}
