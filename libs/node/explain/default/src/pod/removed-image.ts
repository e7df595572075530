import { parseImageReference } from '@podwright/kube-types';
import type { JournalEntry } from '@podwright/journal-interface';
import { span } from '../print/span.js';
import type { Story } from '../story.js';

/** `nginx` and `docker.io/library/nginx:latest` are one image. */
function sameName(name: string): string {
  const parsed = parseImageReference(name);
  return 'fault' in parsed ? name : `${parsed.repository}:${parsed.tag}@${parsed.digest}`;
}

/**
 * Who removed an image from this node, and why, as the rest of a sentence; undefined when the kubelet did not. `node`:
 * entries about the node.
 */
export function removalOf(image: string, node: Story): string | undefined {
  const own = sameName(image);
  const removed = node.last(
    'image.removed',
    ({ names, error }) => error === undefined && names.map(sameName).includes(own),
  );
  if (removed === undefined) return undefined;
  const unused = removed.unusedMs === undefined ? 'no container had used it' : `unused for ${span(removed.unusedMs)}`;
  return `the image garbage collection removed it, because ${causeOf(removed, node)} (${unused})`;
}

function causeOf({ cause, seq }: JournalEntry<'image.removed'>, node: Story): string {
  switch (cause) {
    case 'threshold': {
      const pass = node.first('image.gc', (gc) => gc.seq > seq && gc.cause === 'threshold');
      const { usagePercent = '?', highThresholdPercent = '?' } = pass ?? {};
      return `the disk of images was ${usagePercent} % full, more than imageGCHighThresholdPercent ${highThresholdPercent}`;
    }
    case 'age':
      return 'no container had used it for longer than imageMaximumGCAge';
    case 'eviction':
      return 'the node was short of disk and removed unused images before it would evict pods';
  }
}
