// Divides a rectangle into cells whose areas are in proportion to numbers, each as square as possible ("squarified", Bruls,
// Huizing and van Wijk).

export interface Cell {
  /** In per cent of the whole rectangle. */
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

interface Rectangle {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Returns a cell for each number. The numbers must be sorted, largest first; `ratio` is width divided by height. */
export function layOutCells(numbers: readonly number[], ratio: number): readonly Cell[] {
  const total = numbers.reduce((sum, each) => sum + each, 0)
  if (total === 0) return []
  const areas = numbers.map((each) => (each / total) * ratio)
  const cells: Rectangle[] = []
  let rest: Rectangle = { x: 0, y: 0, width: ratio, height: 1 }
  for (let start = 0; start < areas.length; ) {
    const row = takeRow(areas.slice(start), Math.min(rest.width, rest.height))
    const placed = placeRow(row, rest)
    cells.push(...placed.cells)
    rest = placed.rest
    start += row.length
  }
  return cells.map(({ x, y, width, height }) => ({
    left: (x / ratio) * 100,
    top: y * 100,
    width: (width / ratio) * 100,
    height: height * 100,
  }))
}

/** Returns the first areas, as many as make the row's cells squarer than without the last one. */
function takeRow(areas: readonly number[], side: number): readonly number[] {
  let count = 1
  while (count < areas.length && findWorst(areas.slice(0, count + 1), side) <= findWorst(areas.slice(0, count), side)) {
    count += 1
  }
  return areas.slice(0, count)
}

/** Returns the ratio of the longer to the shorter side of the least square cell. */
function findWorst(row: readonly number[], side: number): number {
  const sum = row.reduce((total, each) => total + each, 0)
  const thickness = sum / side
  return Math.max(...row.map((area) => Math.max(thickness ** 2 / area, area / thickness ** 2)))
}

/** Places the row along the shorter side of the rectangle. */
function placeRow(row: readonly number[], { x, y, width, height }: Rectangle) {
  const isColumn = width >= height
  const thickness = row.reduce((total, each) => total + each, 0) / (isColumn ? height : width)
  let offset = 0
  const cells = row.map((area): Rectangle => {
    const length = area / thickness
    const cell = isColumn
      ? { x, y: y + offset, width: thickness, height: length }
      : { x: x + offset, y, width: length, height: thickness }
    offset += length
    return cell
  })
  const rest = isColumn
    ? { x: x + thickness, y, width: width - thickness, height }
    : { x, y: y + thickness, width, height: height - thickness }
  return { cells, rest }
}
