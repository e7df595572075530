// What a daemon that runs as root must never do (use shells), and must not do after start-up (synchronous I/O).
const argv = 'Pass an argv array to execFile or spawn: no shell ever sees a path or a name from a manifest.';

export const imports = ['child_process', 'node:child_process'].map((name) => ({
  name,
  importNames: ['exec', 'execSync'],
  message: argv,
}));

export const syntax = [
  { selector: "Property[key.name='shell'][value.value=true]", message: argv },
  {
    selector:
      'CallExpression[callee.object.name=/^(child_process|childProcess)$/][callee.property.name=/^exec(Sync)?$/]',
    message: argv,
  },
  {
    selector: 'MethodDefinition[kind="constructor"] > FunctionExpression[params.length>4]',
    message: 'At most four positional parameters: what a class needs is one object, how it is set another.',
  },
  {
    selector: 'ExportAllDeclaration',
    message: 'Name what is exported: a stray export is a promise nobody meant to make.',
  },
];

/** For libs only: a daemon's stop signal lives as long as the daemon, so listeners on it accumulate. */
export const properties = [
  {
    object: 'AbortSignal',
    property: 'any',
    message:
      'Use linkSignals or withLinkedSignal of @podwright/time, which leave nothing behind on the longer-lived signal.',
  },
];

const sliced =
  'The event loop is sacred: use the promise API (at start-up only: disable this rule with a comment saying so).';

/** For libs only: apps and tools may block while they start. */
export const synchronousImports = {
  group: ['fs', 'node:fs', 'child_process', 'node:child_process', 'zlib', 'node:zlib'],
  importNamePattern: 'Sync$',
  message: sliced,
};
// By name, because our own method names also end in Sync (`requestSync`).
const blocking = [
  ...['access', 'appendFile', 'chmod', 'chown', 'close', 'copyFile', 'cp', 'exists', 'fchmod', 'fchown', 'fdatasync'],
  ...[
    'fstat',
    'fsync',
    'ftruncate',
    'futimes',
    'lchown',
    'link',
    'lstat',
    'lutimes',
    'mkdir',
    'mkdtemp',
    'open',
    'opendir',
  ],
  ...[
    'read',
    'readdir',
    'readFile',
    'readlink',
    'readv',
    'realpath',
    'rename',
    'rm',
    'rmdir',
    'stat',
    'statfs',
    'symlink',
  ],
  ...['truncate', 'unlink', 'utimes', 'write', 'writeFile', 'writev', 'exec', 'execFile', 'spawn'],
  ...['gzip', 'gunzip', 'deflate', 'inflate', 'brotliCompress', 'brotliDecompress', 'scrypt', 'pbkdf2'],
].join('|');

// The CRI has an asynchronous call named execSync; only Node's own execSync is rejected.
const criCall = "[callee.property.name='execSync']:not([callee.object.name=/^(child_process|childProcess)$/])";

export const synchronousSyntax = [
  { selector: `CallExpression[callee.property.name=/^(${blocking})Sync$/]:not(${criCall})`, message: sliced },
];

/** Only the assembly may use the DI container. */
export const containerImports = ['tsyringe', 'reflect-metadata'].map((name) => ({
  name,
  message: 'Name what a class needs with `needs`, and let its module create it.',
}));

/** For libs only: the client's model classes cost about 87 MB at run time, and it is published as ES modules only. */
export const clientTypesOnly = {
  name: '@kubernetes/client-node',
  allowTypeImports: true,
  message: 'Use `import type`, or the types of @podwright/kube-types.',
};
