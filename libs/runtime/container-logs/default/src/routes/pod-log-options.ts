import type { ContainerLogOptions } from '@podwright/container-logs-interface';
import { parseRfc3339 } from '@podwright/time';

/** The options of a query, or its fault: `undecodable` (400) or `invalid` (422). */
export type DecodedLogOptions =
  | { readonly options: ContainerLogOptions }
  | { readonly fault: 'undecodable' | 'invalid' };

const smallestInt64 = -(2n ** 63n);
const largestInt64 = 2n ** 63n - 1n;

/**
 * Decodes the query of /containerLogs as v1 PodLogOptions. Uses the first value of each parameter, ignores unknown
 * parameters and parses numbers as Go does. Source: kubernetes v1.36 pkg/kubelet/server/server.go (getContainerLogs),
 * pkg/apis/core/v1 (conversion, validation.ValidatePodLogOptions).
 */
export function decodeLogOptions(query: URLSearchParams): DecodedLogOptions {
  const first = (name: string): string | undefined => query.get(name) ?? undefined;
  const tail = first('tail');
  // The older name `tail` wins when it is not empty; `all` means no limit.
  const tailText = tail === undefined || tail === '' ? first('tailLines') : tail === 'all' ? undefined : tail;
  const numbers = {
    sinceSeconds: int64(first('sinceSeconds')),
    tailLines: int64(tailText),
    limitBytes: int64(first('limitBytes')),
  };
  const since = first('sinceTime');
  const isTime = since === undefined || since === '' || since === 'null' || parseRfc3339(since) !== undefined;
  if (!isTime || Object.values(numbers).includes('undecodable')) return { fault: 'undecodable' };
  const { sinceSeconds, tailLines, limitBytes } = numbers as Record<keyof typeof numbers, number | undefined>;
  const stream = first('stream');
  const invalid =
    (tailLines !== undefined && tailLines < 0) ||
    (limitBytes !== undefined && limitBytes < 1) ||
    (sinceSeconds !== undefined && (since !== undefined || sinceSeconds < 1)) ||
    (stream !== undefined && !['All', 'Stdout', 'Stderr'].includes(stream)) ||
    (stream !== undefined && stream !== 'All' && tailLines !== undefined);
  if (invalid) return { fault: 'invalid' };
  return {
    options: {
      ...(bool(first('follow')) && { follow: true }),
      ...(bool(first('previous')) && { previous: true }),
      ...(bool(first('timestamps')) && { timestamps: true }),
      ...(sinceSeconds !== undefined && { sinceSeconds }),
      // An empty time and `null` mean no limit.
      ...(since !== undefined && since !== '' && since !== 'null' && { sinceTime: since }),
      ...(tailLines !== undefined && { tailLines }),
      ...(limitBytes !== undefined && { limitBytes }),
      ...(stream !== undefined && { stream: stream as NonNullable<ContainerLogOptions['stream']> }),
    },
  };
}

// Every value but `0` and `false` means true.
const bool = (value: string | undefined): boolean =>
  value !== undefined && value !== '0' && value.toLowerCase() !== 'false';

function int64(value: string | undefined): number | 'undecodable' | undefined {
  if (value === undefined) return undefined;
  if (!/^[+-]?\d{1,25}$/.test(value)) return 'undecodable';
  const exact = BigInt(value.replace(/^\+/, ''));
  return exact < smallestInt64 || exact > largestInt64 ? 'undecodable' : Number(exact);
}
