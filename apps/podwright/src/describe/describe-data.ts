import type { ConfigMap, CoreEvent, Secret } from '@podwright/kube-types';
import { describeEvents } from './describe-events.js';
import { Description } from './description.js';

/** Source: kubernetes v1.36 kubectl/pkg/describe/describe.go ConfigMapDescriber. */
export function describeConfigMap(
  { metadata, data = {}, binaryData = {} }: ConfigMap,
  events: readonly CoreEvent[] | undefined,
  nowMs: number,
): string {
  const description = new Description(nowMs);
  describeMetadata(description, metadata);
  description.write(0, '\nData\n====\n');
  for (const key of Object.keys(data).sort()) description.write(0, `${key}:\n----\n${data[key] ?? ''}\n\n`);
  description.write(0, '\nBinaryData\n====\n');
  for (const key of Object.keys(binaryData).sort()) description.line(0, `${key}: ${bytesOf(binaryData[key])} bytes`);
  description.line(0, '');
  if (events !== undefined) describeEvents(description, events);
  return description.text();
}

/** Shows sizes, not values. Source: kubernetes v1.36 kubectl/pkg/describe/describe.go describeSecret. */
export function describeSecret({ metadata, type = '', data = {} }: Secret, nowMs: number): string {
  const description = new Description(nowMs);
  describeMetadata(description, metadata);
  description.write(0, `\nType:\t${type}\n`);
  description.write(0, '\nData\n====\n');
  for (const key of Object.keys(data).sort()) description.line(0, `${key}:\t${bytesOf(data[key])} bytes`);
  return description.text();
}

function describeMetadata(description: Description, metadata: ConfigMap['metadata']): void {
  description.line(0, `Name:\t${metadata?.name ?? ''}`);
  description.line(0, `Namespace:\t${metadata?.namespace ?? ''}`);
  description.pairs('Labels', metadata?.labels);
  description.annotations(metadata?.annotations);
}

function bytesOf(base64 = ''): number {
  return Buffer.from(base64, 'base64').length;
}
