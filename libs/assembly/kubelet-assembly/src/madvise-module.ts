/** Addresses from `start` up to and without `end`. */
export interface AddressRange {
  readonly start: number;
  readonly end: number;
}

const codeAt = 0x200;
const dataAt = 0x1000; // a page of its own, as the loader writes there
const [symbolBytes, headerBytes, programHeaderBytes] = [24, 64, 56];
const [hashAt, symbolsAt, relocationAt, namesAt] = [0x120, 0x140, 0x190, 0x1b0];
const names = '\0napi_register_module_v1\0napi_create_function\0';
const nameAt = (name: string): number => names.indexOf(`\0${name}\0`) + 1;
const dynamicBytes = 9 * 16;
const slotAt = dataAt + dynamicBytes;

/**
 * The file of a native module (Node-API) for Linux on x64 that exports one function without arguments: it calls
 * madvise(2) with MADV_DONTNEED for these ranges. Node.js has no such call, and a library that calls any function of C
 * would be 1 MB more in each executable. Layout: System V ABI, AMD64; no sections, which only linkers need.
 */
export function madviseModule(ranges: readonly AddressRange[]): Uint8Array {
  const code = Buffer.concat([registers(), ...ranges.map(advises), Buffer.from([0x31, 0xc0, 0xc3])]); // return NULL
  const textBytes = codeAt + code.length;
  if (textBytes > dataAt) throw new RangeError(`${ranges.length} ranges do not fit in one page`);
  const file = Buffer.alloc(slotAt + 8);
  file.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1], 0); // ELF, 64 bit, little endian
  writeWords(file, 16, 2, [3, 62]); // a shared object for AMD64
  writeWords(file, 20, 4, [1]);
  writeWords(file, 24, 8, [0, headerBytes, 0]);
  writeWords(file, 52, 2, [headerBytes, programHeaderBytes, 4]);
  const dataBytes = file.length - dataAt;
  const [execute, write, read] = [1, 2, 4];
  writeSegment(file, 0, { type: 1, flags: read | execute, at: 0, bytes: textBytes });
  writeSegment(file, 1, { type: 1, flags: read | write, at: dataAt, bytes: dataBytes });
  writeSegment(file, 2, { type: 2, flags: read | write, at: dataAt, bytes: dynamicBytes });
  // Without it the loader would make all stacks executable.
  writeSegment(file, 3, { type: 0x6474e551, flags: read | write, at: 0, bytes: 0 });
  writeWords(file, hashAt, 4, [1, 3, 1, 0, 2, 0]); // one bucket: symbol 1, then 2
  writeSymbol(file, 1, { name: 'napi_register_module_v1', section: 1, value: codeAt });
  writeSymbol(file, 2, { name: 'napi_create_function', section: 0, value: 0 });
  writeWords(file, relocationAt, 8, [slotAt, 2 * 2 ** 32 + 6, 0]); // R_X86_64_GLOB_DAT of symbol 2
  file.write(names, namesAt, 'latin1');
  file.set(code, codeAt);
  // DT_HASH, DT_STRTAB, DT_SYMTAB, DT_STRSZ, DT_SYMENT, DT_RELA, DT_RELASZ, DT_RELAENT, DT_NULL
  const dynamic = [4, hashAt, 5, namesAt, 6, symbolsAt, 10, names.length, 11, symbolBytes];
  writeWords(file, dataAt, 8, [...dynamic, 7, relocationAt, 8, 24, 9, 24, 0, 0]);
  return file;
}

/** napi_register_module_v1: makes a function of what comes behind it, and returns it as the exports. */
function registers(): Buffer {
  const code = Buffer.from([
    ...[0x48, 0x83, 0xec, 0x18], // sub rsp, 24
    ...[0x31, 0xf6, 0x31, 0xd2], // xor esi, esi; xor edx, edx: it has no name
    ...[0x48, 0x8d, 0x0d, 0, 0, 0, 0], // lea rcx, [behind this code]
    ...[0x45, 0x31, 0xc0], // xor r8d, r8d: it has no data
    ...[0x4c, 0x8d, 0x4c, 0x24, 0x08], // lea r9, [rsp + 8]
    ...[0xff, 0x15, 0, 0, 0, 0], // call [slot]
    ...[0x48, 0x8b, 0x44, 0x24, 0x08], // mov rax, [rsp + 8]
    ...[0x48, 0x83, 0xc4, 0x18, 0xc3], // add rsp, 24; ret
  ]);
  // Both are relative to the next instruction.
  const [afterLea, afterCall] = [15, 29];
  code.writeInt32LE(code.length - afterLea, afterLea - 4);
  code.writeInt32LE(slotAt - (codeAt + afterCall), afterCall - 4);
  return code;
}

function advises({ start, end }: AddressRange): Buffer {
  const code = Buffer.from([
    ...[0xb8, 28, 0, 0, 0], // mov eax, SYS_madvise
    ...[0x48, 0xbf, 0, 0, 0, 0, 0, 0, 0, 0], // mov rdi, start
    ...[0x48, 0xbe, 0, 0, 0, 0, 0, 0, 0, 0], // mov rsi, length
    ...[0xba, 4, 0, 0, 0], // mov edx, MADV_DONTNEED
    ...[0x0f, 0x05], // syscall
  ]);
  writeWords(code, 7, 8, [start]);
  writeWords(code, 17, 8, [end - start]);
  return code;
}

function writeWords(file: Buffer, at: number, bytes: 2 | 4 | 8, values: readonly number[]): void {
  for (const [index, value] of values.entries()) {
    if (bytes === 8) file.writeBigUInt64LE(BigInt(value), at + index * bytes);
    else file.writeUIntLE(value, at + index * bytes, bytes);
  }
}

function writeSegment(
  file: Buffer,
  index: number,
  { type, flags, at, bytes }: Readonly<Record<'type' | 'flags' | 'at' | 'bytes', number>>,
): void {
  const header = headerBytes + index * programHeaderBytes;
  writeWords(file, header, 4, [type, flags]);
  writeWords(file, header + 8, 8, [at, at, at, bytes, bytes, dataAt]);
}

function writeSymbol(
  file: Buffer,
  index: number,
  { name, section, value }: { readonly name: string; readonly section: number; readonly value: number },
): void {
  const at = symbolsAt + index * symbolBytes;
  writeWords(file, at, 4, [nameAt(name)]);
  file.set([0x12], at + 4); // a global function
  writeWords(file, at + 6, 2, [section]);
  writeWords(file, at + 8, 8, [value, 0]);
}
