import { messageOf } from '@podwright/errors';
import { text, type Answer } from '@podwright/http-answer';
import { findContainer, podUid } from '@podwright/kube-types';
import type { ServerRequest } from '@podwright/server-interface';
import type { ConsoleParts } from '../console-needs.js';

const mostLines = 100_000;

/** The log of a container, as text; with `follow` it goes on. */
export async function podLog(
  { logs, pods, statuses }: Pick<ConsoleParts, 'logs' | 'pods' | 'statuses'>,
  { parameters, query, signal }: ServerRequest,
): Promise<Answer> {
  const { namespace = '', name = '', container = '' } = parameters;
  if (logs === undefined) return text(404, 'this kubelet shows no logs: its assembly has no module for them\n');
  const pod = pods.getPodByFullName(`${name}_${namespace}`);
  if (pod === undefined) return text(404, `pod ${JSON.stringify(`${namespace}/${name}`)} does not exist\n`);
  if (findContainer(pod, container) === undefined) {
    return text(404, `container ${JSON.stringify(container)} not found in pod ${JSON.stringify(name)}\n`);
  }
  const tail = query.get('tailLines') ?? '';
  if (tail !== '' && !(/^\d{1,6}$/.test(tail) && Number(tail) <= mostLines)) {
    return text(400, `tailLines must be 0 to ${mostLines}, not ${JSON.stringify(tail)}\n`);
  }
  const options = {
    ...(tail !== '' && { tailLines: Number(tail) }),
    ...(isTrue(query.get('previous')) && { previous: true }),
    ...(isTrue(query.get('follow')) && { follow: true }),
  };
  const status = statuses.getPodStatus(podUid(pod)) ?? pod.status ?? {};
  try {
    const body = await logs.open({ pod, status, container, options, signal });
    return { status: 200, headers: { 'Content-Type': 'text/plain; charset=utf-8' }, body };
  } catch (error) {
    return text(400, `${messageOf(error)}\n`);
  }
}

const isTrue = (value: string | null): boolean => value !== null && value !== '0' && value !== 'false';
