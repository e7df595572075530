import type { KubeClient } from '@podwright/kube-client-interface';

/**
 * Whether the API server issues tokens: one that does not answers as if the service account were missing. Checked once,
 * after the first such answer. Counts as supported while unknown, so that the server's own error is shown.
 */
export class TokenRequestSupport {
  private known: boolean | undefined;

  constructor(private readonly client: Pick<KubeClient, 'getText'>) {}

  async isOffered(signal: AbortSignal): Promise<boolean> {
    this.known ??= await this.ask(signal);
    return this.known ?? true;
  }

  private async ask(signal: AbortSignal): Promise<boolean | undefined> {
    const text = await this.client.getText('/api/v1', { signal }).catch(() => undefined);
    return text === undefined ? undefined : namesTokens(text);
  }
}

/** Undefined for anything but a list of resources. */
function namesTokens(text: string): boolean | undefined {
  try {
    const { resources } = JSON.parse(text) as { resources?: readonly { readonly name?: string }[] };
    return Array.isArray(resources) ? resources.some(({ name }) => name === 'serviceaccounts/token') : undefined;
  } catch {
    return undefined;
  }
}
