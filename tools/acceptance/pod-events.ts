import { labImages } from '@podwright/lab';
import type { TestNode } from './test-node.js';

const line =
  / events\] "Event occurred" object="([^"]*)" fieldPath="([^"]*)" .*?reason="(\w+)" message=(?:"((?:[^"\\]|\\.)*)"|<\n((?:\t.*\n)*) >)/g;

/**
 * The events of a pod in their order, as `REASON CONTAINER: MESSAGE`, or `REASON: MESSAGE` for those of the whole pod.
 * Each only once: the log has a repetition when some time has passed since the last.
 */
export async function eventsOf(node: TestNode, name: string): Promise<readonly string[]> {
  const log = (await node.log()).join('\n');
  const object = `default/${node.podName(name)}`;
  const events = [...log.matchAll(line)].flatMap(([, about, fieldPath = '', reason = '', quoted, block]) => {
    if (about !== object) return [];
    const container = /\{(.*)\}/.exec(fieldPath)?.[1];
    const message =
      quoted === undefined ? (block ?? '').replaceAll(/^\t/gm, '') : (JSON.parse(`"${quoted}"`) as string);
    return [`${reason}${container === undefined ? '' : ` ${container}`}: ${message}`];
  });
  return [...new Set(events)];
}

/** Events of containers that start one after the other, their image being there. */
export const startsOf = (...containers: string[]): string[] =>
  containers.flatMap((name) => [
    `Pulled ${name}: Container image "${labImages.busybox}" already present on machine and can be accessed by the pod`,
    `Created ${name}: Container created`,
    `Started ${name}: Container started`,
  ]);

/** Events of containers that are told to end with their pod; the order among them is of no meaning. */
export const stopsOf = (...containers: string[]): string[] =>
  containers.map((name) => `Killing ${name}: Stopping container ${name}`);
