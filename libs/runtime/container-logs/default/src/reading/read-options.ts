import type { ContainerLogOptions } from '@podwright/container-logs-interface';
import { KubeletError } from '@podwright/errors';
import type { LogOutputOptions } from '../lines/log-output.js';
import { LogStamp } from '../lines/log-stamp.js';

/** How a log is read. */
export interface ReadOptions {
  readonly follow: boolean;
  /** Number of lines from the end to start at; undefined: start of the file. */
  readonly tailLines?: number;
  readonly output: LogOutputOptions;
}

/**
 * Converts the request's options. Throws `invalid-argument` for those that upstream's API validation rejects.
 * Source: kubernetes v1.36 pkg/apis/core/validation/validation.go ValidatePodLogOptions, cri-client/pkg/logs/logs.go
 * NewLogOptions.
 */
export function readOptions(options: ContainerLogOptions, nowMs: number): ReadOptions {
  const { follow = false, tailLines, limitBytes, sinceSeconds, stream = 'All', timestamps = false } = options;
  if (tailLines !== undefined && tailLines < 0) throw invalid('tailLines: must be greater than or equal to 0');
  if (limitBytes !== undefined && limitBytes < 1) throw invalid('limitBytes: must be greater than 0');
  if (sinceSeconds !== undefined && sinceSeconds < 1) throw invalid('sinceSeconds: must be greater than 0');
  if (stream !== 'All' && tailLines !== undefined) {
    throw invalid('`tailLines` and specific `stream` are mutually exclusive for now');
  }
  const since = sinceOf(options, nowMs);
  return {
    follow,
    ...(tailLines !== undefined && { tailLines }),
    output: {
      timestamps,
      stream,
      limitBytes: limitBytes ?? Infinity,
      // Lines that are written while a tail is read are not part of it.
      limitRecords: follow ? Infinity : (tailLines ?? Infinity),
      ...(since !== undefined && { since }),
    },
  };
}

function sinceOf({ sinceSeconds, sinceTime }: ContainerLogOptions, nowMs: number): LogStamp | undefined {
  if (sinceSeconds !== undefined && sinceTime !== undefined) {
    throw invalid('at most one of `sinceTime` or `sinceSeconds` may be specified');
  }
  const since = new LogStamp();
  if (sinceSeconds !== undefined) since.setMs(nowMs - sinceSeconds * 1000);
  else if (sinceTime === undefined) return undefined;
  else if (!since.read(Buffer.from(sinceTime), 0, Buffer.byteLength(sinceTime))) {
    throw invalid(`sinceTime: ${JSON.stringify(sinceTime)} is no RFC 3339 time`);
  }
  return since;
}

function invalid(message: string): KubeletError {
  return new KubeletError(message, { code: 'invalid-argument' });
}
