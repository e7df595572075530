import { readFile, writeFile } from 'node:fs/promises';

interface EarlierResults {
  readonly files: Readonly<Record<string, { mutants: readonly { readonly status: string }[] }>>;
}

/**
 * Removes from Stryker's file of earlier results the mutants that no case noticed: they run again. Stryker would run
 * them only after a case with a new title came, because it does not see the cases that a bundle is made of.
 */
export async function forgetSurvivors(file: string): Promise<void> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return;
  const results = JSON.parse(text) as EarlierResults;
  for (const each of Object.values(results.files)) {
    each.mutants = each.mutants.filter(({ status }) => status === 'Killed' || status === 'Timeout');
  }
  await writeFile(file, JSON.stringify(results));
}
