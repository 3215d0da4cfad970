// The icon of the service (/favicon.ico): a shield with a V, drawn below and encoded as an ICO file with one bitmap.

const SIZE = 16

/** One character per pixel: `#` is the shield, `o` the letter, and a blank is transparent. */
const DRAWING = [
  '                ',
  '       ##       ',
  '    ########    ',
  ' ############## ',
  ' #oo########oo# ',
  ' #ooo######ooo# ',
  ' ##oo######oo## ',
  ' ##ooo####ooo## ',
  ' ###oo####oo### ',
  '  ##ooo##ooo##  ',
  '  ###oo##oo###  ',
  '   ##oooooo##   ',
  '   ###oooo###   ',
  '    ###oo###    ',
  '      ####      ',
  '       ##       ',
] as const

/** Colors in the order of a Windows bitmap: blue, green, red, opacity. */
const COLORS: Readonly<Record<string, readonly number[]>> = {
  ' ': [0, 0, 0, 0],
  '#': [0xad, 0x5c, 0x0b, 0xff],
  o: [0xff, 0xff, 0xff, 0xff],
}

const HEADER_BYTES = 22
const BITMAP_HEADER_BYTES = 40

export function buildFavicon(): Buffer {
  // A bitmap stores its rows from the bottom to the top.
  const rows = DRAWING.toReversed()
  const pixels = Buffer.from(rows.flatMap((row) => Array.from(row, (each) => COLORS[each] ?? []).flat()))
  // The mask of transparent pixels is required but unused, because the pixels have an opacity. Each of its rows is 4
  // bytes.
  const mask = Buffer.alloc(SIZE * 4)
  const bitmap = Buffer.concat([buildBitmapHeader(), pixels, mask])
  return Buffer.concat([buildFileHeader(bitmap.length), bitmap])
}

function buildFileHeader(bitmapBytes: number): Buffer {
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeUInt16LE(1, 2) // the file is an icon
  header.writeUInt16LE(1, 4) // number of images
  header.writeUInt8(SIZE, 6)
  header.writeUInt8(SIZE, 7)
  header.writeUInt16LE(1, 10) // color planes
  header.writeUInt16LE(32, 12) // bits per pixel
  header.writeUInt32LE(bitmapBytes, 14)
  header.writeUInt32LE(HEADER_BYTES, 18) // offset of the bitmap
  return header
}

function buildBitmapHeader(): Buffer {
  const header = Buffer.alloc(BITMAP_HEADER_BYTES)
  header.writeUInt32LE(BITMAP_HEADER_BYTES, 0)
  header.writeInt32LE(SIZE, 4)
  header.writeInt32LE(SIZE * 2, 8) // the height includes the mask
  header.writeUInt16LE(1, 12) // color planes
  header.writeUInt16LE(32, 14) // bits per pixel
  return header
}
