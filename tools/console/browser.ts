import { findChromium } from '@podwright/lab';
import { chromium, type Browser } from 'playwright-core';

/**
 * A browser for the project's own pages. Its sandbox needs user namespaces, which root in a container often lacks; the
 * pages of these tests come from this repository alone, so it runs without.
 */
export async function startBrowser(log: (line: string) => void): Promise<Browser> {
  const { program, env } = await findChromium(log);
  return chromium.launch({ executablePath: program, env: { ...env }, chromiumSandbox: false });
}
