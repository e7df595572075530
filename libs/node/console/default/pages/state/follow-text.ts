const giveEveryMs = 200;

/**
 * Reads an answer as it comes and gives it on at most five times a second, so that a busy log does not keep the page
 * from drawing. Resolves at its end.
 */
export async function followText(path: string, take: (text: string) => void, signal: AbortSignal): Promise<void> {
  const answer = await fetch(path, { signal });
  if (!answer.ok || answer.body === null) {
    const text = (await answer.text()).trim().slice(0, 300);
    throw new Error(text === '' ? `The kubelet answered with ${answer.status}.` : text);
  }
  let waiting = '';
  let timer: number | undefined;
  const give = (): void => {
    timer = undefined;
    const text = waiting;
    waiting = '';
    if (text !== '' && !signal.aborted) take(text);
  };
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    waiting += part.value;
    timer ??= window.setTimeout(give, giveEveryMs);
  }
  window.clearTimeout(timer);
  give();
}
