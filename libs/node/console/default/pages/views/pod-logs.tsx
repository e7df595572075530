import type { ContainerPage } from '@podwright/console-interface';
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Fault, Panel } from '../parts/panel.js';
import { followText } from '../state/follow-text.js';
import { errorOf } from '../state/ask.js';
import { visible, visibleLog } from '../text/visible.js';

interface PodLogsProps {
  readonly containers: readonly ContainerPage[];
  /** Path before the name of a container. */
  readonly logsOf: string;
}

/** More would make the page slow. */
const mostCharacters = 100_000;
const tailLines = 300;

/** The log of one container; reads it only when it is asked for. */
export function PodLogs({ containers, logsOf }: PodLogsProps): JSX.Element {
  const [container, setContainer] = useState(
    (containers.find(({ type }) => type === 'regular') ?? containers[0])?.name ?? '',
  );
  const [source, setSource] = useState<'off' | 'follow' | 'previous'>('off');
  const { text, error, ended } = useLog(container, source, logsOf);
  const box = useRef<HTMLPreElement>(null);
  const atEnd = useRef(true);
  useEffect(() => {
    if (atEnd.current) box.current?.scrollTo({ top: box.current.scrollHeight });
  }, [text]);
  return (
    <Panel
      title="Logs"
      aside={
        <div class="controls">
          <label>
            <span>Container</span>
            <select value={container} onChange={({ currentTarget }) => setContainer(currentTarget.value)}>
              {containers.map(({ name }) => (
                <option key={name} value={name}>
                  {visible(name)}
                </option>
              ))}
            </select>
          </label>
          <button type="button" aria-pressed={source === 'follow'} onClick={() => setSource(toggled(source, 'follow'))}>
            {source === 'follow' ? 'Stop' : 'Follow'}
          </button>
          <button
            type="button"
            aria-pressed={source === 'previous'}
            onClick={() => setSource(toggled(source, 'previous'))}
          >
            Before the restart
          </button>
        </div>
      }
    >
      {error !== undefined && <Fault>{error}</Fault>}
      {source === 'off' && text === '' ? (
        <p class="empty">“Follow” shows the last {tailLines} lines and what comes.</p>
      ) : (
        <pre
          ref={box}
          class="log"
          tabIndex={0}
          role="log"
          aria-live="off"
          aria-label={`Log of ${visible(container)}`}
          onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
            atEnd.current = scrollHeight - scrollTop - clientHeight < 24;
          }}
        >
          {text}
          {ended && <span class="quiet">{text.endsWith('\n') || text === '' ? '' : '\n'}— the end —</span>}
        </pre>
      )}
    </Panel>
  );
}

/** What fits, from the begin of a line. */
function lastLines(text: string): string {
  if (text.length <= mostCharacters) return text;
  const from = text.indexOf('\n', text.length - mostCharacters);
  return text.slice(from === -1 ? -mostCharacters : from + 1);
}

const toggled = <T extends string>(now: T | 'off', wanted: T): T | 'off' => (now === wanted ? 'off' : wanted);

interface Log {
  readonly text: string;
  readonly error?: string;
  readonly ended: boolean;
}

function useLog(container: string, source: 'off' | 'follow' | 'previous', logsOf: string): Log {
  const [log, setLog] = useState<Log>({ text: '', ended: false });
  useEffect(() => {
    if (source === 'off') return undefined;
    const ending = new AbortController();
    const wanted = source === 'follow' ? 'follow=true' : 'previous=true';
    const path = `${logsOf}/${encodeURIComponent(container)}/logs?tailLines=${tailLines}&${wanted}`;
    setLog({ text: '', ended: false });
    const take = (more: string): void =>
      setLog((before) => ({ ...before, text: lastLines(before.text + visibleLog(more)) }));
    followText(path, take, ending.signal).then(
      () => setLog((before) => ({ ...before, ended: true })),
      (error: unknown) => {
        if (!ending.signal.aborted) setLog((before) => ({ ...before, ...errorOf(error) }));
      },
    );
    return () => ending.abort();
  }, [container, source, logsOf]);
  return log;
}
