import { useEffect, useState } from 'preact/hooks';

export interface Answer<T> {
  readonly data?: T;
  readonly error?: string;
}

/** GET of a path below the console's own; rejects with a sentence. */
export async function ask<T>(path: string, signal?: AbortSignal): Promise<T> {
  const answer = await fetch(path, signal === undefined ? {} : { signal });
  if (!answer.ok) {
    const text = (await answer.text()).trim().slice(0, 300);
    throw new Error(`The kubelet answered with ${answer.status}${text === '' ? '' : `: ${text}`}`);
  }
  return (await answer.json()) as T;
}

/** Asks at once and then each period while the page is seen; keeps the last data when a later answer fails. */
export function usePolled<T>(path: string, everyMs: number): Answer<T> {
  const [answer, setAnswer] = useState<Answer<T>>({});
  useEffect(() => {
    const ending = new AbortController();
    let timer: number | undefined;
    const turn = async (): Promise<void> => {
      if (document.visibilityState === 'visible') {
        const next = await ask<T>(path, ending.signal).then((data): Answer<T> => ({ data }), errorOf);
        if (ending.signal.aborted) return;
        setAnswer((before) => (next.error === undefined ? next : { ...before, ...next }));
      }
      timer = window.setTimeout(() => void turn(), everyMs);
    };
    setAnswer({});
    void turn();
    return () => {
      ending.abort();
      window.clearTimeout(timer);
    };
  }, [path, everyMs]);
  return answer;
}

export function errorOf(error: unknown): { readonly error: string } {
  return {
    error:
      error instanceof TypeError
        ? 'The kubelet does not answer.'
        : error instanceof Error
          ? error.message
          : String(error),
  };
}
