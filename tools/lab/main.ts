import { spawn } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { describeLeftovers, leftovers, removeLab } from './cleanup.js';
import { unlessMissing } from './commands.js';
import { labSupport, openLab, startLab, type Lab } from './index.js';
import { labHomes, labLayout } from './layout.js';
import { openShell } from './node-vm/shell.js';
import { nodeVmSupport } from './node-vm/support.js';

const USAGE = `usage: npm run lab -- COMMAND [--name NAME] [OPTIONS]

  up       start a lab (does nothing when it is already running)
  down     remove a lab, running or crashed
  reset    down, then up
  status   print endpoint, images and addresses as JSON
  list     print the names of all labs
  check    list processes, mounts and files of a lab; exit code 1 when there are any
  exec     run a program with the lab's tools on PATH:  exec -- PROGRAM [ARGS...]
  ctr      run containerd's client:                     ctr -- ARGS...
  vm       open a root shell in the virtual machine of the node-vm tests

  --name NAME          default: dev
  --containerd 1.6|2   default: the CRI-O that PODWRIGHT_CRIO names, else 2
  --registry           also start a local registry; --registry-port PORT chooses its port`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    name: { type: 'string', default: 'dev' },
    containerd: { type: 'string' },
    registry: { type: 'boolean', default: false },
    'registry-port': { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
const log = (line: string): void => console.error(line);

async function up(): Promise<void> {
  const running = await openLab(values.name);
  if ((await running?.running()) === true) return status();
  const series = values.containerd;
  if (series !== undefined && series !== '1.6' && series !== '2')
    throw new Error(`--containerd must be 1.6 or 2, not ${series}`);
  const port = values['registry-port'];
  await startLab({
    name: values.name,
    ...(series !== undefined && { containerd: series }),
    registry: port === undefined ? values.registry : { port: Number(port) },
    log,
  });
  return status();
}

async function down(): Promise<void> {
  await removeLab(labLayout(values.name), log);
}

async function status(): Promise<void> {
  const lab = await openedLab();
  const { name, endpoint, dir, images, network, cgroupRoot, portMappings, registry } = lab;
  const running = await lab.running();
  console.log(
    JSON.stringify({ name, running, endpoint, dir, images, network, cgroupRoot, portMappings, registry }, undefined, 2),
  );
}

async function list(): Promise<void> {
  const names = await Promise.all(labHomes.map(async (home) => (await unlessMissing(readdir(home))) ?? []));
  for (const name of new Set(names.flat())) {
    if (name.startsWith('.')) continue;
    console.log(`${name}\t${(await (await openLab(name))?.running()) === true ? 'running' : 'dead'}`);
  }
}

async function check(): Promise<void> {
  const left = describeLeftovers(await leftovers(labLayout(values.name)));
  for (const line of left) console.log(line);
  process.exitCode = left.length === 0 ? 0 : 1;
}

async function execute(): Promise<void> {
  const [program, ...args] = positionals.slice(1);
  if (program === undefined) throw new Error('exec needs a program: exec -- PROGRAM [ARGS...]');
  const lab = await openedLab();
  const child = spawn(program, args, { stdio: 'inherit', env: { ...process.env, ...lab.env } });
  process.exitCode = await new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? (signal === null ? 1 : 128)));
  });
}

async function ctr(): Promise<void> {
  process.stdout.write(await (await openedLab()).ctr(positionals.slice(1)));
}

async function openedLab(): Promise<Lab> {
  const lab = await openLab(values.name, log);
  if (lab === undefined)
    throw new Error(`lab ${values.name} is not running: start it with npm run lab -- up --name ${values.name}`);
  return lab;
}

async function reset(): Promise<void> {
  await down();
  await up();
}

async function main(): Promise<number> {
  const commands: Readonly<Record<string, () => Promise<void>>> = {
    up,
    down,
    reset,
    status,
    list,
    check,
    exec: execute,
    ctr,
    vm: () => openShell(log),
  };
  const command = commands[positionals[0] ?? ''];
  if (values.help || command === undefined) {
    console.log(USAGE);
    return values.help ? 0 : 2;
  }
  const support = positionals[0] === 'vm' ? nodeVmSupport() : labSupport();
  if (!support.ok) {
    console.error(`lab: ${support.reason}`);
    return 1;
  }
  process.exitCode = 0;
  await command();
  return Number(process.exitCode);
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    console.error(`lab: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  },
);
