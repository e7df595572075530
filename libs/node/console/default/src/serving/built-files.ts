import type { ConsoleFiles } from './console-files.js';

/** The pages as built, decompressed by whoever reads them. They are a module, which is loaded at the first request. */
export async function loadBuiltFiles(): Promise<ConsoleFiles> {
  const { builtPages } = await import('../generated/console-pages.js');
  return {
    read: async (name) => {
      if (!Object.hasOwn(builtPages, name)) return undefined;
      const page = builtPages[name];
      if (page === undefined) return undefined;
      const { type, hash, brotliBase64 } = page;
      return { type, hash, encoding: 'br', bytes: Buffer.from(brotliBase64(), 'base64') };
    },
  };
}
