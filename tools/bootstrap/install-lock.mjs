import { mkdirSync, readFileSync, readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const lookAgainMs = 200;
const mostMinutes = 15;

/**
 * A lock between processes: a symbolic link whose target names the owners, because a link is made with its content in
 * one step. It lasts until all of them have ended. It lies outside of node_modules, which `npm ci` removes.
 */
export class InstallLock {
  constructor(file) {
    this.file = file;
  }

  /** Waits while an owner lives, and says so. Takes over the lock of processes that have ended. */
  async take() {
    mkdirSync(path.dirname(this.file), { recursive: true });
    const latest = performance.now() + mostMinutes * 60_000;
    let told;
    while (!this.tryTake()) {
      const owners = this.owners();
      if (owners === undefined) continue; // given back just now
      const pid = livingIn(owners);
      if (pid === undefined) {
        this.discard(owners);
        continue;
      }
      if (performance.now() > latest) {
        throw new Error(
          `process ${pid} has been installing npm packages for more than ${mostMinutes} minutes; end it and run the command again (lock ${this.file})`,
        );
      }
      if (told !== pid) console.log(`waiting for process ${pid}, which installs npm packages here ...`);
      told = pid;
      await delay(lookAgainMs);
    }
    this.mine = nameOf(process.pid);
  }

  /** Makes a child process an owner, too: it may outlive this one. */
  shareWith(pid) {
    const next = `${this.file}.${process.pid}`;
    this.mine = `${this.mine} ${nameOf(pid)}`;
    rmSync(next, { force: true });
    symlinkSync(this.mine, next);
    renameSync(next, this.file);
  }

  release() {
    if (this.owners() === this.mine) rmSync(this.file);
  }

  tryTake() {
    try {
      symlinkSync(nameOf(process.pid), this.file);
      return true;
    } catch (error) {
      if (error.code === 'EEXIST') return false;
      throw error;
    }
  }

  owners() {
    return unlessMissing(() => readlinkSync(this.file));
  }

  /** Another process may have discarded it as well and taken the lock since: then that lock is put back. */
  discard(dead) {
    const aside = `${this.file}.${process.pid}`;
    unlessMissing(() => renameSync(this.file, aside));
    const found = unlessMissing(() => readlinkSync(aside));
    if (found !== undefined && found !== dead) renameSync(aside, this.file);
    else rmSync(aside, { force: true });
  }
}

const pidIn = (owner) => Number(owner.split('-')[0]);
/** The first of the owners that has not ended. */
function livingIn(owners) {
  const living = owners.split(' ').find((owner) => owner !== '' && nameOf(pidIn(owner)) === owner);
  return living === undefined ? undefined : pidIn(living);
}

/** `<pid>-<start>`, because process ids are used again; the start is empty without /proc. */
function nameOf(pid) {
  if (process.platform !== 'linux') return isThere(pid) ? `${pid}-` : '';
  const stat = unlessMissing(() => readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? '';
  // The name in brackets may contain anything.
  const fields = stat.replace(/^.*\) /s, '').split(' ');
  return stat === '' || fields[0] === 'Z' ? '' : `${pid}-${fields[19]}`;
}

function isThere(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM'; // another user's
  }
}

function unlessMissing(task) {
  try {
    return task();
  } catch (error) {
    // ESRCH: the process ended while its state was read.
    if (error.code === 'ENOENT' || error.code === 'ESRCH') return undefined;
    throw error;
  }
}
