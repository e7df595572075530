// What a daemon that runs as root must not do anywhere (shells), and what it must not do after start-up (synchronous I/O).
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
    selector: 'ExportAllDeclaration',
    message: 'Name what is exported: a stray export is a promise nobody meant to make.',
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
// By name, because our own words end in Sync too (`requestSync`).
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

// The CRI has a call named execSync too, which is asynchronous: of that name only Node's own is refused.
const criCall = "[callee.property.name='execSync']:not([callee.object.name=/^(child_process|childProcess)$/])";

export const synchronousSyntax = [
  { selector: `CallExpression[callee.property.name=/^(${blocking})Sync$/]:not(${criCall})`, message: sliced },
];

/** For libs only: tsyringe's container is called by modules and by the assembly, nowhere else. */
export const containerImports = {
  name: 'tsyringe',
  importNames: [
    'container',
    'singleton',
    'registry',
    'instance',
    'delay',
    'autoInjectable',
    'predicateAwareClassFactory',
  ],
  message: 'Constructor injection only: use injectable, inject and scoped, and let the module register the class.',
};

/** For libs only: the client's model tree costs about 87 MB at run time and is published as ES modules only. */
export const clientTypesOnly = {
  name: '@kubernetes/client-node',
  allowTypeImports: true,
  message: 'Use `import type`, or the types of @podwright/kube-types.',
};
