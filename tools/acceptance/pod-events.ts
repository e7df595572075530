import { labImages } from '@podwright/lab';
import type { TestNode } from './test-node.js';

const line =
  / events\] "Event occurred" object="([^"]*)" fieldPath="([^"]*)" .*?reason="(\w+)" message=(?:"((?:[^"\\]|\\.)*)"|<\n((?:\t.*\n)*) >)/g;

/**
 * The events of a pod in order, as `REASON CONTAINER: MESSAGE`, or `REASON: MESSAGE` for the whole pod. Each appears
 * once: the log repeats an event after some time.
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

/** Events of containers that start one after the other, with the image present. */
export const startsOf = (...containers: string[]): string[] =>
  containers.flatMap((name) => [
    `Pulled ${name}: Container image "${labImages.busybox}" already present on machine and can be accessed by the pod`,
    `Created ${name}: Container created`,
    `Started ${name}: Container started`,
  ]);

/** Events of containers that stop with their pod; their order does not matter. */
export const stopsOf = (...containers: string[]): string[] =>
  containers.map((name) => `Killing ${name}: Stopping container ${name}`);
