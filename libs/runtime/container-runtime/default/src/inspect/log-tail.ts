import type { FileHandle } from 'node:fs/promises';
import { ContainedFolder } from '@podwright/contained-path';
import { isMissing, KubeletError, messageOf } from '@podwright/errors';
import { readTail } from './file-tail.js';

const mostLines = 80;
const mostBytes = 2048;
/** If this much text has fewer than 80 lines, they contain more than 2048 bytes, so reading more is never needed. */
const readBytes = 64 * 1024;

/**
 * The end of a container's log, for a termination message: the last 80 lines, and of these the last 2048 bytes. Source:
 * kubernetes v1.36 pkg/kubelet/kuberuntime/kuberuntime_container.go readLastStringFromContainerLogs.
 */
export async function readLogTail(path: string): Promise<string> {
  const { data, size } = await readTail(await openLog(path), readBytes);
  const lines = data.toString('latin1').split('\n');
  if (lines.at(-1) === '') lines.pop();
  // When the file was not read from its start, the first line is incomplete.
  if (size > data.length) lines.shift();
  const parse = lines.some((line) => criLine.test(line)) ? criContent : dockerContent;
  const content = lines.slice(-mostLines).map(parse).join('');
  return Buffer.from(content, 'latin1').subarray(-mostBytes).toString('utf8');
}

/**
 * Opens `<podLogsDir>/<pod>/<container>/<attempt>.log`. A pod that mounts its log directory from the host can write to
 * it, so links are only followed above and at `podLogsDir`. Upstream follows all links.
 */
async function openLog(path: string): Promise<FileHandle> {
  const steps = path.split('/');
  const [pod = '', container = '', name = ''] = steps.splice(-3);
  // Node's message contains a descriptor number, which differs each time, so the pod's status would change each time.
  const stable = (_step: string, error: unknown): unknown => {
    if (error instanceof KubeletError || isMissing(error)) return error;
    const { code = messageOf(error) } = error as NodeJS.ErrnoException;
    const problem = code === 'ELOOP' || code === 'ENOTDIR' ? 'links are not followed' : code;
    return new KubeletError(`failed to open log file "${path}": ${problem}`, { code: 'internal', cause: error });
  };
  const folder = await ContainedFolder.open(steps.join('/') || '/', [pod, container], stable);
  return folder.openFile(name).finally(() => folder.close());
}

const criLine = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d) (?:stdout|stderr) ([^ ]*) (.*)$/s;

/** Content of a line in CRI format. A partial line has no line break; text in another format is skipped. */
function criContent(line: string): string {
  const [, tags = '', content] = criLine.exec(line) ?? [];
  if (content === undefined) return '';
  return tags.split(':')[0] === 'P' ? content : `${content}\n`;
}

function dockerContent(line: string): string {
  try {
    const entry: unknown = JSON.parse(Buffer.from(line, 'latin1').toString('utf8'));
    const log = typeof entry === 'object' && entry !== null && 'log' in entry ? entry.log : undefined;
    return typeof log === 'string' ? Buffer.from(log).toString('latin1') : '';
  } catch {
    // A line in neither format; upstream skips it too.
    return '';
  }
}
