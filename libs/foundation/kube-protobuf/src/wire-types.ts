/** Wire types of protocol buffers: the lowest three bits of a tag. */
export const varint = 0;
export const fixed64 = 1;
export const delimited = 2;
