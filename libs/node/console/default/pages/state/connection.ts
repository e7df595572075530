import { batch, signal } from '@preact/signals';
import type { ConsoleMessageName, ConsoleMessages } from '@podwright/console-interface';
import { takers } from './node-state.js';

export type Connection =
  | { readonly state: 'connecting' | 'live' | 'resting' }
  /** `reason`: what a person can do about it, if that is known. */
  | { readonly state: 'lost'; readonly sinceMs: number; readonly reason?: string };

export const connection = signal<Connection>({ state: 'connecting' });

const firstRetryMs = 1000;
const longestRetryMs = 15_000;
/** A tab in the background lets the kubelet rest: it samples only while somebody looks. */
const restAfterMs = 30_000;

let stream: EventSource | undefined;
let retryMs = firstRetryMs;
let retry: number | undefined;
let rest: number | undefined;

/** Follows the node from now on, whatever happens to the connection. */
export function connect(): void {
  open();
  document.addEventListener('visibilitychange', () => {
    window.clearTimeout(rest);
    if (document.visibilityState === 'hidden') rest = window.setTimeout(pause, restAfterMs);
    else if (stream === undefined) open();
  });
}

function open(): void {
  window.clearTimeout(retry);
  stream?.close();
  const opened = new EventSource('live');
  stream = opened;
  for (const name of Object.keys(takers) as ConsoleMessageName[]) {
    opened.addEventListener(name, ({ data }: MessageEvent<string>) => {
      const taker = takers[name] as (data: ConsoleMessages[typeof name]) => void;
      batch(() => {
        taker(JSON.parse(data) as ConsoleMessages[typeof name]);
        connection.value = { state: 'live' };
      });
      retryMs = firstRetryMs;
    });
  }
  opened.addEventListener('error', () => void lose(opened));
}

function pause(): void {
  window.clearTimeout(retry);
  stream?.close();
  stream = undefined;
  connection.value = { state: 'resting' };
}

/** The browser's own reconnecting ends at the first answer that is an error, so each stream is given up at its first. */
async function lose(broken: EventSource): Promise<void> {
  if (broken !== stream) return;
  broken.close();
  stream = undefined;
  const before = connection.value;
  const sinceMs = before.state === 'lost' ? before.sinceMs : Date.now();
  connection.value = { ...(before.state === 'lost' ? before : {}), state: 'lost', sinceMs };
  retry = window.setTimeout(open, retryMs);
  retryMs = Math.min(retryMs * 2, longestRetryMs);
  const reason = await reasonOfLoss();
  const now = connection.value;
  if (now.state === 'lost')
    connection.value = { state: 'lost', sinceMs: now.sinceMs, ...(reason === '' ? {} : { reason }) };
}

/** An EventSource does not say why it failed; another request does. */
async function reasonOfLoss(): Promise<string> {
  try {
    const { status } = await fetch('data/journal?limit=1');
    if (status === 401)
      return 'The kubelet does not know this browser any more: open the address that “podwright console” prints.';
    if (status === 403) return 'You may not see this node’s console (403).';
    if (status === 429 || status === 503) return 'Too many people watch, or the console is not ready yet.';
    return status < 400 ? '' : `The kubelet answered with ${status}.`;
  } catch {
    return 'The kubelet does not answer.';
  }
}
