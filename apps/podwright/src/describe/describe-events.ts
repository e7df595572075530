import type { CoreEvent } from '@podwright/kube-types';
import { age } from '../output/human-duration.js';
import type { Description } from './description.js';

/** Source: kubernetes v1.36 kubectl/pkg/describe/describe.go DescribeEvents. */
export function describeEvents(description: Description, events: readonly CoreEvent[]): void {
  if (events.length === 0) return description.line(0, 'Events:\t<none>');
  description.endColumns();
  description.line(0, 'Events:\n  Type\tReason\tAge\tFrom\tMessage');
  description.line(1, '----\t------\t----\t----\t-------');
  for (const event of [...events].sort(byLastTimestamp)) {
    const source = event.source?.component || (event.reportingComponent ?? '');
    const path = event.involvedObject.fieldPath ?? '';
    const message = `${path === '' ? '' : `${path}: `}${(event.message ?? '').trim()}`;
    description.line(1, [event.type, event.reason, interval(event, description.nowMs), source, message].join('\t'));
  }
}

function byLastTimestamp(a: CoreEvent, b: CoreEvent): number {
  const [first, second] = [a.lastTimestamp ?? '', b.lastTimestamp ?? ''];
  return first < second ? -1 : first > second ? 1 : 0;
}

function interval({ eventTime, firstTimestamp, lastTimestamp, series, count = 0 }: CoreEvent, nowMs: number): string {
  const first = age(eventTime ?? firstTimestamp, nowMs);
  if (series !== undefined && series !== null) {
    return `${age(series.lastObservedTime, nowMs)} (x${series.count ?? 0} over ${first})`;
  }
  return count > 1 ? `${age(lastTimestamp, nowMs)} (x${count} over ${first})` : first;
}
