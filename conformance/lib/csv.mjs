// Reads CSV (RFC 4180).

/** Returns the lines of a file, each a list of cells. */
export function parseCsv(text) {
  const lines = [[]]
  let at = 0
  while (at < text.length) {
    const [cell, end] = text[at] === '"' ? readQuoted(text, at + 1) : readPlain(text, at)
    lines.at(-1).push(cell)
    at = text[end] === ',' ? end + 1 : end + '\r\n'.length
    if (text[end] !== ',') lines.push([])
  }
  return lines.slice(0, -1)
}

/** A quotation mark in the cell is doubled. */
function readQuoted(text, start) {
  let end = text.indexOf('"', start)
  while (text[end + 1] === '"') end = text.indexOf('"', end + 2)
  return [text.slice(start, end).replaceAll('""', '"'), end + 1]
}

function readPlain(text, start) {
  const ends = [text.indexOf(',', start), text.indexOf('\r\n', start)].filter((end) => end !== -1)
  const end = Math.min(...ends)
  return [text.slice(start, end), end]
}
