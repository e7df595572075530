import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { access, readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { isMissing, KubeletError, messageOf } from '@podwright/errors';
import { decodeProviderFile, type ProviderInFile } from './decode-provider-file.js';
import type { CredentialProviderConfig, TokenAttributes } from './provider-config.js';
import { validateProvider } from './validate-provider.js';

export interface ProviderConfigPlace {
  /** A file, or a folder with `.json`, `.yaml` and `.yml` files. */
  readonly configPath: string;
  readonly binDir: string;
  /** Gate KubeletServiceAccountTokenForCredentialProviders. */
  readonly serviceAccountTokens: boolean;
}

export interface ReadProviderConfig {
  readonly providers: readonly CredentialProviderConfig[];
  /** `sha256:<hex>` over the lengths and contents of all files. */
  readonly hash: string;
}

/**
 * Reads all credential providers of the node, in the order of the files and of the entries in them. Rejects with
 * `invalid-argument`; the message names file, field and value of every fault. Source: kubernetes v1.36
 * pkg/credentialprovider/plugin/{plugin,config}.go.
 */
export async function readProviderConfig(place: ProviderConfigPlace): Promise<ReadProviderConfig> {
  const { configPath, binDir } = place;
  await stat(binDir).catch((error: unknown) => {
    if (isMissing(error)) throw invalid(`plugin binary directory ${binDir} did not exist`, error);
    throw invalid(`error inspecting binary directory ${binDir}: ${messageOf(error)}`, error);
  });
  const hash = createHash('sha256');
  const faults: string[] = [];
  const providers: CredentialProviderConfig[] = [];
  for (const file of await configFiles(configPath)) {
    const content = await readFile(file).catch((error: unknown) => {
      throw invalid(`unable to read file ${JSON.stringify(file)}: ${messageOf(error)}`, error);
    });
    const length = Buffer.alloc(8);
    length.writeBigUInt64BE(BigInt(content.length));
    hash.update(length).update(content);
    for (const [index, provider] of decode(file, content).entries()) {
      if (providers.some(({ name }) => name === provider.name)) {
        const name = JSON.stringify(provider.name);
        throw invalid(`duplicate provider name ${name} found in configuration file(s), the second in ${file}`);
      }
      faults.push(...validateProvider(provider, `providers[${index}]`, place).map((fault) => `${file}: ${fault}`));
      providers.push(completed(provider));
    }
  }
  if (providers.length === 0)
    faults.push(`${configPath}: providers: Required value: at least 1 item in plugins is required`);
  if (faults.length > 0) throw invalid(`failed to validate credential provider config: ${faults.join(', ')}`);
  for (const { name } of providers) await checkExecutable(path.join(binDir, name));
  return { providers, hash: `sha256:${hash.digest('hex')}` };
}

async function configFiles(configPath: string): Promise<readonly string[]> {
  if (configPath === '') throw invalid('credential provider config path is empty');
  const facts = await stat(configPath).catch((error: unknown) => {
    throw invalid(`unable to access path ${JSON.stringify(configPath)}: ${messageOf(error)}`, error);
  });
  if (!facts.isDirectory()) return [configPath];
  const entries = await readdir(configPath, { withFileTypes: true });
  const names = entries.filter((entry) => !entry.isDirectory() && /\.(json|yaml|yml)$/.test(entry.name));
  if (names.length === 0) {
    throw invalid(`no configuration files found in directory ${JSON.stringify(configPath)}`);
  }
  return names.map(({ name }) => path.join(configPath, name)).sort();
}

function decode(file: string, content: Uint8Array): readonly ProviderInFile[] {
  try {
    return decodeProviderFile(content);
  } catch (error) {
    throw invalid(`error decoding config ${JSON.stringify(file)}: ${messageOf(error)}`, error);
  }
}

/** Sets the defaults. The placeholders for required fields are never used: validation reports them as faults. */
function completed(provider: ProviderInFile): CredentialProviderConfig {
  const { name = '', apiVersion = '', matchImages = [], args = [], env = [], tokenAttributes } = provider;
  return {
    name,
    apiVersion,
    matchImages,
    args,
    env: env.map((variable) => ({ name: variable.name ?? '', value: variable.value ?? '' })),
    defaultCacheDurationMs: provider.defaultCacheDuration ?? 0,
    ...(tokenAttributes !== undefined && {
      tokenAttributes: {
        requiredServiceAccountAnnotationKeys: [],
        optionalServiceAccountAnnotationKeys: [],
        ...tokenAttributes,
      } as TokenAttributes,
    }),
  };
}

async function checkExecutable(file: string): Promise<void> {
  try {
    const facts = await stat(file);
    if (facts.isDirectory()) throw new Error('is a directory');
    await access(file, constants.X_OK);
  } catch (error) {
    if (isMissing(error)) throw invalid(`plugin binary executable ${file} did not exist`, error);
    throw invalid(`error inspecting binary executable ${file}: ${messageOf(error)}`, error);
  }
}

function invalid(message: string, cause?: unknown): KubeletError {
  return new KubeletError(message, { code: 'invalid-argument', ...(cause !== undefined && { cause }) });
}
