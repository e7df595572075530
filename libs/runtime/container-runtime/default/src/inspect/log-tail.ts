import { readTail } from './file-tail.js';

const mostLines = 80;
const mostBytes = 2048;
/** Fewer than 80 lines in this much text carry more than 2048 bytes of content, so more need never be read. */
const readBytes = 64 * 1024;

/**
 * The end of a container's log for a termination message: the last 80 lines, of these the last 2048 bytes.
 * Source: kubernetes v1.36 pkg/kubelet/kuberuntime/kuberuntime_container.go readLastStringFromContainerLogs.
 */
export async function readLogTail(path: string): Promise<string> {
  const { data, size } = await readTail(path, readBytes);
  const lines = data.toString('latin1').split('\n');
  if (lines.at(-1) === '') lines.pop();
  // The first line of a cut file is cut itself.
  if (size > data.length) lines.shift();
  const parse = lines.some((line) => criLine.test(line)) ? criContent : dockerContent;
  const content = lines.slice(-mostLines).map(parse).join('');
  return Buffer.from(content, 'latin1').subarray(-mostBytes).toString('utf8');
}

const criLine = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d) (?:stdout|stderr) ([^ ]*) (.*)$/s;

/** A partial line has no end of its own; lines that are none are left out. */
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
    // Not a line of either format: upstream skips it as well.
    return '';
  }
}
