import { ApiError, isNotFound } from '../client/api-error.js';
import type { ApiObject } from '../client/resources.js';
import { resourcePath } from '../client/resources.js';
import { CommandError, throwCollected, usageError } from '../command-error.js';
import { readDocuments } from '../manifests/read-documents.js';
import { readManifests, type Manifest } from '../manifests/read-manifests.js';
import { readSources } from '../manifests/read-sources.js';
import { outputOf } from '../output/object-printer.js';
import { defineCommand, extraWords, type CommandContext } from './command.js';
import { dryRunFlag, dryRunSuffix, filenameFlag, recursiveFlag } from './shared-flags.js';

/** Source: kubernetes v1.36 kubectl/pkg/cmd/apply/apply.go. */
export const applyCommand = defineCommand({
  usage: 'apply',
  summary: 'Create or replace objects by file or stdin',
  examples: [
    ['apply -f web.yaml', 'Create or replace what a file names'],
    ['apply -f ./manifests -R', 'Read a folder with all folders below it'],
    ['apply -f -', 'Read stdin'],
    ['apply -f web.yaml --dry-run=server', 'Let the server validate, write nothing'],
  ],
  valueLetters: 'fo',
  flags: (yargs) =>
    yargs
      .option('filename', filenameFlag)
      .option('recursive', recursiveFlag)
      .option('dry-run', dryRunFlag)
      .option('output', { alias: 'o', type: 'string', describe: 'Print the objects: json, yaml or name' }),
  async run(args, context) {
    if (extraWords(args).length > 0) throw usageError('apply', `Unexpected args: [${extraWords(args).join(' ')}]`);
    if (args.filename === undefined) throw new CommandError('must specify -f');
    const { io, namespace, namespaceIsExplicit } = context;
    const { printer } = outputOf(args.output, ['json', 'name', 'yaml']);
    const sources = await readSources(args.filename, args.recursive, io.stdin);
    const manifests = readManifests(sources.flatMap(readDocuments), { namespace, isExplicit: namespaceIsExplicit });
    if (manifests.length === 0) throw new CommandError('no objects passed to apply');
    for (const { place, warnings } of manifests) {
      for (const warning of warnings) await io.err(`Warning: ${place}: ${warning}\n`);
    }
    const dryRun = args['dry-run'];
    // The server validates everything before anything is written, so a bad file changes nothing.
    if (dryRun === 'none' && manifests.length > 1) await putAll(context, manifests, 'server');
    const applied = await putAll(context, manifests, dryRun);
    for (const { object, verb } of applied) {
      if (printer !== undefined) continue;
      await io.out(
        `${(object.kind ?? '').toLowerCase()}/${object.metadata.name ?? ''} ${verb}${dryRunSuffix(dryRun)}\n`,
      );
    }
    if (printer === undefined) return;
    const objects = applied.map(({ object }) => object);
    const [only] = objects;
    const list = { apiVersion: 'v1', items: objects, kind: 'List', metadata: {} } as unknown as ApiObject;
    await io.out(printer(objects.length === 1 && only !== undefined ? only : list));
  },
});

interface Applied {
  readonly object: ApiObject;
  readonly verb: 'created' | 'configured' | 'unchanged';
}

/** Puts them one after the other, tries all, then throws what failed, each with its place. */
async function putAll(
  context: CommandContext,
  manifests: readonly Manifest[],
  dryRun: string,
): Promise<readonly Applied[]> {
  const applied: Applied[] = [];
  const errors: unknown[] = [];
  for (const manifest of manifests) {
    try {
      applied.push(await put(context, manifest, dryRun));
    } catch (error) {
      errors.push(withPlace(error, manifest));
    }
  }
  throwCollected(errors);
  return applied;
}

/** A refusal names the file, as kubectl's; that of an invalid object names the object. */
function withPlace(error: unknown, { place }: Manifest): unknown {
  if (!(error instanceof ApiError) || error.status.reason === 'Invalid') return error;
  return new ApiError({ ...error.status, message: `error when applying ${JSON.stringify(place)}: ${error.message}` });
}

async function put({ client }: CommandContext, manifest: Manifest, dryRun: string): Promise<Applied> {
  const { resource, namespace, name, object } = manifest;
  const path = resourcePath(resource, namespace, name);
  const before = await client.get<ApiObject>(path).catch((error: unknown) => {
    if (isNotFound(error)) return undefined;
    throw error;
  });
  if (dryRun === 'client') return { object, verb: before === undefined ? 'created' : 'configured' };
  const query = dryRun === 'server' ? { dryRun: 'All' } : {};
  const { code, object: put } = await client.call<ApiObject>('PUT', path, { body: object, query });
  const shown = { ...put, apiVersion: 'v1', kind: resource.kind };
  if (code === 201) return { object: shown, verb: 'created' };
  const isSame = before?.metadata.resourceVersion === put.metadata.resourceVersion;
  return { object: shown, verb: isSame ? 'unchanged' : 'configured' };
}
