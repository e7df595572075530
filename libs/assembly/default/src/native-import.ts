import { isSea } from 'node:sea';
import { constants, Script } from 'node:vm';

/** Loads a file by its `file:` URL and returns its exports. */
export type ImportModule = (url: string) => Promise<unknown>;

/** `import()`. That of a single executable's own code loads no files, but code that is compiled later may use Node's loader. */
export const nativeImport: ImportModule = (url) => (isSea() ? importByLoader() : importHere)(url);

const importHere: ImportModule = (url) => import(url);

// The result of a script has no type.
const importByLoader = (): ImportModule =>
  new Script('(url) => import(url)', {
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  }).runInThisContext() as ImportModule;
