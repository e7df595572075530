/**
 * A static program that waits for SIGTERM or SIGINT and reaps orphans meanwhile, as machine code: it needs no compiler,
 * and a sandbox uses a page or two of memory instead of a shell. Undefined for an unsupported processor.
 *
 * It blocks the three signals and takes them with rt_sigtimedwait, because a blocked signal reaches pid 1 even without
 * a handler.
 */
export function pauseProgram(nodeArchitecture: string): Buffer | undefined {
  return nodeArchitecture === 'x64' ? elf64(Buffer.concat([CODE, SIGNAL_SET])) : undefined;
}

const CODE = Buffer.from(
  [
    'b80e000000', // mov eax, 14 (rt_sigprocmask)
    '31ff', // xor edi, edi (SIG_BLOCK)
    '488d354e000000', // lea rsi, [rip + set]
    '31d2', // xor edx, edx
    '41ba08000000', // mov r10d, 8
    '0f05', // syscall
    // wait: (offset 24)
    'b880000000', // mov eax, 128 (rt_sigtimedwait)
    '488d3d38000000', // lea rdi, [rip + set]
    '31f6', // xor esi, esi
    '31d2', // xor edx, edx (no time limit)
    '41ba08000000', // mov r10d, 8
    '0f05', // syscall
    '83f811', // cmp eax, 17 (SIGCHLD)
    '751a', // jne not-child
    // reap: (offset 53)
    'b83d000000', // mov eax, 61 (wait4)
    '83cfff', // or edi, -1 (any child)
    '31f6', // xor esi, esi
    'ba01000000', // mov edx, 1 (WNOHANG)
    '4531d2', // xor r10d, r10d
    '0f05', // syscall
    '85c0', // test eax, eax
    '7fe8', // jg reap
    'ebc9', // jmp wait
    // not-child: (offset 79)
    '85c0', // test eax, eax
    '78c5', // js wait (interrupted)
    'b8e7000000', // mov eax, 231 (exit_group)
    '31ff', // xor edi, edi
    '0f05', // syscall
  ].join(''),
  'hex',
);

// SIGINT (2), SIGTERM (15) and SIGCHLD (17) as bits; bit 0 is signal 1.
const SIGNAL_SET = Buffer.from('0240010000000000', 'hex');

/** An ELF executable with one loaded segment that starts at the headers. */
function elf64(code: Buffer): Buffer {
  const base = 0x400000n;
  const headers = Buffer.alloc(120);
  Buffer.from('7f454c46020101', 'hex').copy(headers);
  headers.writeUInt16LE(2, 16); // executable
  headers.writeUInt16LE(62, 18); // x86-64
  headers.writeUInt32LE(1, 20);
  headers.writeBigUInt64LE(base + 120n, 24); // entry
  headers.writeBigUInt64LE(64n, 32); // program headers
  headers.writeUInt16LE(64, 52);
  headers.writeUInt16LE(56, 54);
  headers.writeUInt16LE(1, 56);
  headers.writeUInt32LE(1, 64); // PT_LOAD
  headers.writeUInt32LE(5, 68); // read, execute
  headers.writeBigUInt64LE(base, 80);
  headers.writeBigUInt64LE(base, 88);
  headers.writeBigUInt64LE(BigInt(120 + code.length), 96);
  headers.writeBigUInt64LE(BigInt(120 + code.length), 104);
  headers.writeBigUInt64LE(0x1000n, 112);
  return Buffer.concat([headers, code]);
}
